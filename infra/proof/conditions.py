"""What a template's conditions and rules come to with given parameters (CloudFormation, "Condition functions" and "Rule
functions")."""


class Deployment:
    """A template with values for its parameters; those that are not given have their defaults. One without a default
    stays a reference, which equals nothing."""

    def __init__(self, template, **given):
        self.template = template
        unknown = set(given) - set(template["Parameters"])
        assert not unknown, f"there are no parameters {unknown}"
        self.parameters = {
            name: self._typed(declared, str(given.get(name, declared.get("Default"))))
            for name, declared in template["Parameters"].items()
            if name in given or "Default" in declared
        }

    @staticmethod
    def _typed(declared, value):
        return value.split(",") if declared["Type"] == "CommaDelimitedList" else value

    def value(self, expression):
        """A value with its conditions decided and its parameters filled in; other references stay as they are."""
        if isinstance(expression, list):
            values = [self.value(one) for one in expression]
            return [one for one in values if one != {"Ref": "AWS::NoValue"}]
        if not isinstance(expression, dict):
            return expression
        function, argument = next(iter(expression.items()), (None, None))
        match function:
            case "Ref":
                return self.parameters.get(argument, expression)
            case "Condition" if len(expression) == 1:
                return self.holds(argument)
            case "Fn::If":
                return self.value(argument[1 if self.holds(argument[0]) else 2])
            case "Fn::Equals":
                one, other = map(self.value, argument)
                return one == (str(other) if isinstance(one, str) else other)
            case "Fn::Contains":
                return self.value(argument[1]) in self.value(argument[0])
            case "Fn::Not":
                return not self.value(argument[0])
            case "Fn::And":
                return all(map(self.value, argument))
            case "Fn::Or":
                return any(map(self.value, argument))
        values = {key: self.value(one) for key, one in expression.items()}
        return {key: one for key, one in values.items() if one != {"Ref": "AWS::NoValue"}}

    def holds(self, condition):
        """Whether a condition, by its name, is true."""
        return self.value(self.template["Conditions"][condition])

    def resources(self):
        """The resources whose conditions hold, with the conditions of their values decided."""
        return {
            name: self.value({key: one for key, one in resource.items() if key != "Condition"})
            for name, resource in self.template["Resources"].items()
            if "Condition" not in resource or self.holds(resource["Condition"])
        }

    def refusals(self):
        """What the rules say against the parameters. CloudFormation then changes nothing."""
        return [
            assertion["AssertDescription"]
            for rule in self.template.get("Rules", {}).values()
            if self.value(rule.get("RuleCondition", True))
            for assertion in rule["Assertions"]
            if not self.value(assertion["Assert"])
        ]
