//! Requests that endanger individuals: drugs, self-harm, planned violence, persecution. Word lists
//! as in [`intents`](crate::intents).

use crate::intent::Intent;
use crate::intents::{OPPOSITION, REQUESTS};
use crate::words::Words;

/// Words with which a sentence only discusses a subject.
const SUBJECTS: &str = r"histor\w*|novel|story|stories|fiction\w*|thriller|mystery|crime (?:novel|scene|story)
    |krimi|roman|romanzo|novela|film|movie|screenplay|game|d&d|dungeon\w*|goblins?|fantasy|character
    |museum|lecture|lesson|essay|news|journalis\w*|documentary|law|laws|legal|court|verdict|trial
    |statut\w*|gesetz\w*|gericht\w*|loi|ley|legge|research|stud(?:y|ies)|statistics|exam|quiz|debate
    |pharmacolog\w*|toxicolog\w*|medical|nurs(?:e|es|ing)|doctors?|clinic\w*|patients?|therap\w*|geschichte|unterricht\w*|histoire|storia|historia|lezione";

/// Words of help, added to [`OPPOSITION`].
const HELP: &str = r"|prevention|pravention|helplines?|hotlines?|crisis|krise\w*|support(?:s|ing|ive)?|treat(?:ment|ing|ed)?
    |addict\w*|recover\w*|overdose (?:response|training)|first aid|antidotes?|survivors?|victims
    |grie(?:f|ving)|bereave\w*|warning signs|safe(?:ty)? (?:plan|messaging)|drill|lockdown|secur(?:e|ity)
    |awareness|policy|policies|moderat\w*|classif\w*|analy[sz]\w*|consequences|hilfe|aiuto|ayuda
    |harm reduction|talk(?:ing)? (?:someone |them )?out of|memorial|lasst|lost|mourn\w*";

/// The requests, by rule.
pub(crate) fn intents() -> Vec<Intent> {
    vec![drugs(), self_harm(), violence(), persecution(), exposure()]
}

fn drugs() -> Intent {
    Intent {
        rule_id: "illegal_goods",
        message: "Instructions for making illegal drugs must not be published.",
        object: Words::new(&[
            r"meth|methamphetamin\w*|metanfetamin\w*|crystal meth|crack cocaine|fentanyl|fentanilo|mdma|lsd
                |heroine?|heroin[ae]?|eroina|ghb|ecstasy pills",
        ]),
        asks: vec![Words::new(&[
            r"cook(?:ing|ed|s)?|mak(?:e|ing)|made|produc(?:e|ing)|synthesi[sz](?:e|ing)|synthesis|manufactur(?:e|ing)
                |extract(?:ing)?|brew(?:ing)?|recipe|precursors?|reagents?|ingredients|press(?:ing)?
            |herstell\w*|koch\w*|synthe\w*|rezept|fabriqu\w*|recette|cuisiner|produire|fabric\w*|cocinar
                |receta|produc\w*|sintetiz\w*|cucinar\w*|ricetta|fabbric\w*|produrre|sintetizz\w*",
        ])],
        insists: Words::new(&[
            r"step[ -]by[ -]step|at home|exact (?:\w+ )?(?:amounts?|quantit\w+|reagents?)|reagents?|precursors?
                |cold medicine|pseudoephedrine|synthesis route|zu hause|daheim|schritt fur schritt
                |hustensaft|a la maison|etape par etape|en casa|paso a paso|in casa|passo (?:dopo|per) passo",
        ]),
        opposes: Words::new(&[
            OPPOSITION,
            HELP,
            r"|smok\w*|drug testing|test strips?|seiz\w*|arrest\w*|dangers?|effects?|use of|posters?",
        ]),
        excuses: Words::new(&[
            SUBJECTS,
            r"|radix|sort(?:ing|s)?|digits?|breaking bad|tv series|series|reports?|police",
        ]),
    }
}

fn self_harm() -> Intent {
    Intent {
        rule_id: "self_harm",
        message: "Encouraging or planning suicide or self-harm must not be published.",
        object: Words::new(&[
            r"(?:commit(?:ting)?|committed) suicide|suicide (?:methods?|plans?|notes?|pact|instructions?)
                |(?:painless|easy|quick|best|surest|easiest|quickest|reliable) (?:\w+ ){0,3}(?:to die|suicide)
                |(?:kill(?:ing)?|hang(?:ing)?|harm(?:ing)?|hurt(?:ing)?|cut(?:ting)?) (?:myself|yourself|himself
                |herself|themsel(?:f|ves)|oneself)|(?:end(?:ing)?|take|taking) (?:my
                |your|his|her|their) (?:own )?(?:life|lives)|suicide
            |selbstmord\w*|suizid\w*|selbsttotung\w*|(?:mich|sich|dich) (?:\w+ ){0,2}(?:umbring\w*|umzubringen
                |toten|zu toten|das leben (?:nehmen|zu nehmen))|(?:bringe|bring) (?:mich|dich) um
            |(?:me|se|te) (?:suicider|tuer)|suicid\w*|mettre fin a (?:mes|ses|tes|leurs) jours
            |suicidar\w*|suicidio|quitar(?:me|se|te) la vida|(?:matarme|matarse|matarte)
            |uccider(?:mi|si|ti)|togliersi la vita|togliermi la vita|ammazzar(?:mi|si|ti)",
        ]),
        asks: vec![Words::new(&[
            r"convinc\w*|persuad\w*|encourag\w*|urg(?:e|es|ing)|push(?:es|ing)? (?:\w+ )?(?:to|into|towards?)
                |driv(?:e|es|ing) (?:\w+ ){1,3}to|talk(?:s|ing)? (?:\w+ ){1,3}into|get (?:\w+ ){1,3}to|tell(?:s|ing)? (?:\w+ ){1,5}(?:to|should|must)
                |plan(?:s|ning)?|methods?|how (?:to|can i|do i|could i)|easiest|painless(?:ly)?|surest|best way|ways
                |steps?|instructions?|guide|glorif\w*|romantici[sz]\w*|i want to|lethal dose|pills|pact
            |uberred\w*|uberzeug\w*|ermutig\w*|ermunter\w*|dazu bring\w*|treib\w*|methoden?|anleitung|plan\w*
                |wie (?:kann|man|ich)|schmerzlos\w*|convain\w*|pouss\w*|encourag\w*|comment|methodes?|sans douleur
            |convenc\w*|convenz\w*|anim\w* a|incit\w*|empuj\w*|como (?:puedo|me|se)|metodos?|sin dolor
            |convinc\w*|spin\w* a|incoragg\w*|come (?:posso|mi|si)|metodi|metodo|indolore|pianific\w*",
        ])],
        insists: Words::new(&[
            r"painless(?:ly)?|(?:convinc|persuad|encourag|urg|push|talk|tell|driv)\w* (?:\w+ ){0,6}(?:to|into|that) (?:\w+ ){0,4}(?:kill\w*|commit\w*
                |suicide|end\w*|tak\w+|hurt\w*|harm\w*|hang\w*|cut\w*)|lethal dose|without (?:being|anyone) (?:\w+ )?(?:stopped|found|noticing)
                |schmerzlos\w*|sans douleur|sin dolor|senza dolore|indolore|step[ -]by[ -]step|suicide pact",
        ]),
        opposes: Words::new(&[
            OPPOSITION,
            HELP,
            r"|(?:tells?|told|telling) me|when someone|says (?:they|he|she)|someone who|somebody who|people who|a friend (?:who|says)|not to|hilft|help (?:someone|people|them|a)
                |assisted|sterbehilfe|squad|watch",
        ]),
        excuses: Words::new(&[
            SUBJECTS,
            r"|wolves|cards?|squad|opera|shakespeare|romeo|werther|hamlet|chess|draft|budget|deadline|code
                |process|thread|hair",
        ]),
    }
}

fn violence() -> Intent {
    Intent {
        rule_id: "violence",
        message: "Planning violence against people must not be published.",
        object: Words::new(&[
            r"school shootings?|attack(?:s|ing)? (?:on |at )?(?:my|our|a) (?:\w+ )?school|vergift\w* (?:\w+ ){0,3}(?:frau|mann|chef|nachbar\w*|kolleg\w*|jemand\w*|person|mutter|vater|menschen)|mass shootings?|shoot(?:ing)? up (?:\w+ ){0,3}(?:school|church|mosque|synagogue|mall
                |office|workplace|concert|campus|university|classmates)|(?:shoot|kill|stab|attack|murder)(?:ing)? (?:\w+ ){0,5}(?:at (?:my|a|the|our) (?:\w+ )?school|classmates
                |in (?:my|the|our|a) school)|massacre|amoklauf\w*|amok(?:lauf|tat)?|rampage|terror(?:ist)? attacks?
            |poison(?:s|ing)? (?:\w+ ){0,3}(?:wife|husband|boss|neighbou?rs?|coworkers?|colleagues?|someone|somebody|a person
                |people|mother|father|stepfather|stepmother|roommate|ex|girlfriend|boyfriend|uncle|aunt|grand\w+|him|her|them|sister|brother|teacher|man|woman)
            |(?:undetectable|untraceable|tasteless) poisons?|(?:kill|murder|strangl\w*|drown|get rid of)(?:ing)? (?:my|his|her|a real|the real) (?:own )?(?:wife
                |husband|boss|neighbou?rs?|coworkers?|colleagues?|mother|father|stepfather|stepmother|roommate|ex|girlfriend
                |boyfriend|uncle|aunt|sister|brother|teacher)
            |(?:frau|mann|chef|nachbar\w*|kolleg\w*|jemand\w*|person|mutter|vater|menschen|ex|freundin) (?:\w+ ){0,4}(?:zu )?(?:vergift\w*|umbring\w*|umzubringen|ermord\w*)
            |empoisonner (?:\w+ ){0,3}(?:mari|femme|chef|voisine?|collegue|quelqu'un|personne|ex)
            |envenenar (?:a )?(?:\w+ ){0,3}(?:marido|esposa|mujer|jefe|vecin[oa]|alguien|persona|colega|ex)
            |avvelenare (?:\w+ ){0,3}(?:marito|moglie|capo|vicin[oa]|qualcuno|persona|collega|ex)
            |(?:fusillade|tuerie|massacre) (?:\w+ ){0,3}(?:ecole|lycee|college)|(?:tiroteo|masacre|matanza) (?:\w+ ){0,3}(?:escuela|colegio|instituto)
            |(?:strage|sparatoria|massacro) (?:\w+ ){0,3}(?:scuola|liceo)",
        ]),
        asks: vec![Words::new(&[
            REQUESTS,
            r"|plan(?:s|ning)?|prepar\w*|organi[sz]\w*|carry(?:ing)? out|commit|best way|plane?\w*|pianific\w*|planific\w*
                |wie vergift\w*|vorbereit\w*|durchfuhr\w*|commettre|cometer|commettere|get away|suggest\w*|recommend\w*",
        ])],
        insists: Words::new(&[
            r"without (?:being|getting|anyone|leaving) (?:\w+ ){0,2}(?:caught|noticing|traces?|detect\w*|suspect\w*)|get away with it|getting away with it
                |leav\w* no traces?|undetectable|untraceable|for my attack|as many (?:\w+ )*as possible
                |maximi[sz]\w* (?:the )?(?:casualties|victims)|ohne (?:\w+ ){0,3}(?:erwischt|entdeckt|nachweis\w*)|unentdeckt|nicht nachweisbar
                |sans (?:etre|se faire) (?:pris|attrap\w*|prendre|attraper)|sin (?:que me|ser|que nadie) \w+|senza (?:essere|farsi|farmi) \w+
                |step[ -]by[ -]step|next week|detailed plan",
        ]),
        opposes: Words::new(&[
            OPPOSITION,
            HELP,
            r"|after (?:a|the)|condemn\w*|respon(?:se|d|ding)|happened|reported|ivy|food|mushroom|lead poisoning|dogs?|cats?
                |pets?|plants?|responders?|evacuat\w*|minutes? of silence|commemorat\w*|causes|parents talk",
        ]),
        excuses: Words::new(&[
            SUBJECTS,
            r"|agatha|christie|detective|plot|scene|murder mystery|whodunit|sleuth|chess|basketball|photo\w*|king|queen
                |play|sitcom|opera|chapter|ghost|villain|timeline",
        ]),
    }
}

fn persecution() -> Intent {
    Intent {
        rule_id: "harassment",
        message: "Watching or following a person in secret must not be asked for.",
        object: Words::new(&[
            r"stalk(?:s|ing)?|(?:find|figure) out where (?:my|an?) (?:\w+ )?ex(?:-\w+)? (?:\w+ )?(?:lives|is|works|moved)|(?:track|follow|spy on|locate|watch)(?:ing)? (?:her|him|them)|(?:track|read|spy(?:ing)? on|follow|locat|monitor|find|watch|surveil|trac)(?:e|s|ing|king)? (?:down )?(?:where )?(?:my|an?|his|her|the|someone's|somebody's|your) (?:\w+ ){0,3}?(?:ex(?:-| |\b)(?:wife
                |husband|girlfriend|boyfriend|partner)?|wife|husband|girlfriend|boyfriend|partner|wife's|husband's|girlfriend's|boyfriend's
                |partner's|ex's|phone|location|movements)|(?:track|trace|locate|spy on|read)(?:ing)? (?:\w+ )?(?:someone's|somebody's|her|his|their) (?:phone|messages|location|car|mobile|texts)
            |(?:gps|phone|location)[ -]track(?:er|ing)|airtags?
            |(?:handy|telefon|standort|exfreundin|ex-freundin|exfreund|ex-freund|ex-frau|exfrau|ex-mann|exmann|freundin|ex) (?:\w+ ){0,6}(?:orten|ortet|zu orten|verfolg\w*|uberwach\w*|auszuspionieren|ausspionier\w*|stalken|tracken)
            |(?:localiser|espionner|suivre|pister|traquer|surveiller) (?:\w+ ){0,4}(?:telephone|ex|copine|copain|femme|mari)
            |(?:rastrear|espiar|localizar|seguir|vigilar|acosar) (?:\w+ ){0,4}(?:movil|telefono|celular|ex|novia|novio|esposa|marido|mujer)
            |(?:rintracciare|spiare|localizzare|seguire|pedinare|tracciare) (?:\w+ ){0,4}(?:telefono|cellulare|ex|ragazza|ragazzo|moglie|marito|fidanzat[oa])",
        ]),
        asks: vec![
            Words::new(&[REQUESTS, r"|track|spy|find|locate|stalk"]),
            Words::new(&[
                r"without (?:(?:her|his|their|them|him|my \w+|the \w+|anyone|being|getting) ){1,2}(?:\w+ ){0,3}?(?:know\w*|notic\w*|consent|realis\w*|realiz\w*|find\w*|permission|detect\w*|caught)
                    |secretly|covertly|in secret|blocked me|restraining order|new address|ex|ex-\w+
                |ohne (?:\w+ ){0,5}(?:wiss\w*|weis|merk\w*|bemerk\w*|mitbekomm\w*)|heimlich|unbemerkt
                |sans (?:qu'\w+|que|son|sa|leur) (?:\w+ ){0,4}\w+|a son insu|en secret|sin que (?:\w+ ){0,3}\w+|a escondidas
                |senza (?:che|il suo|farsi) (?:\w+ ){0,3}\w+|di nascosto|a sua insaputa|en secreto|in segreto",
            ]),
        ],
        insists: Words::new(&[
            r"without (?:her|his|their|them|him|my|anyone) (?:\w+ ){0,3}?(?:know\w*|notic\w*|consent|realis\w*|realiz\w*)|secretly|covertly
                |restraining order|blocked me|heimlich|ohne dass|a son insu|sin que|senza che|di nascosto|her daily routine",
        ]),
        opposes: Words::new(&[
            OPPOSITION,
            HELP,
            r"|(?:am|is|are|was|being|been|be) (?:stalked|tracked|followed|spied)|stalked me|(?:my|a|the|your|our) (?:own|lost|stolen) (?:phone|device|keys|luggage)
                |find my|luggage|bags?|keys|pets?|domestic violence|shelter|counsel\w*|advis\w*|advice|privacy|anti-stalking|lawyer|remove|get over|heal\w*
                |surpris\w*|gifts?|part(?:y|ies)|birthday|proposal|progress|anniversary|co-?parent\w*|move on|breakup|break-up",
        ]),
        excuses: Words::new(&[
            SUBJECTS,
            r"|deer|hunt\w*|wildlife|celery|animals?|parcels?|packages?|fleet|deliver\w*|runs?|running|fitness|hik\w*|logistics
                |weather|scene|chapter|beanstalk",
        ]),
    }
}

fn exposure() -> Intent {
    Intent {
        rule_id: "harassment",
        message: "Intimate images of a real person must not be asked for.",
        object: Words::new(&[
            r"nudes?|naked|deepfake porn\w*|(?:remov|tak)(?:e|ing)(?: off)? (?:all |the |her |his |their )+clothes|undress\w*|topless|porn\w*|nacktbild\w*|nacktfoto\w*|nackt\w*|nue?s?|desnud\w*
                |nud[oai]|spogli\w*",
        ]),
        asks: vec![
            Words::new(&[
                REQUESTS,
                r"|edit|remove|undress|photoshop|modif\w*|togli\w*|entfern\w*|enleve\w*|quita\w*|genera\w*",
            ]),
            Words::new(&[
                r"(?:my|a|our|her|his|the real|this) (?:\w+ ){0,3}?(?:classmates?|class mates?|colleagues?|co-?workers?|teacher|boss|neighbou?r|ex|ex-\w+|girlfriend|boyfriend|crush|roommate|schoolmates?|celebrit\w*)
                    |(?:in|from|at) (?:my|our) (?:class|school|office|work)|(?:mitschuler\w*|klassenkamerad\w*|kollegin\w*|kollegen|nachbarin|lehrerin|exfreundin|ex-freundin)
                    |camarade\w*|collegues?|voisine|professeure?|ex-copine|companer[oa]s?|colegas?|vecina|profesora|exnovia
                    |compagn[oaie] di (?:classe|scuola|lavoro)|collega|colleghe|vicina|professoressa|ex fidanzata",
            ]),
            Words::new(&[
                r"images?|photos?|pictures?|pics?|selfies?|deepfakes?|videos?|instagram|portraits?|bild\w*|foto\w*|nacktbild\w*|nacktfoto\w*
                    |imagen\w*|immagin\w*|clothes|kleidung|undress\w*|nudes",
            ]),
        ],
        insists: Words::new(&[
            r"deepfake\w*|real (?:classmate|colleague|coworker|person|photo)s?|instagram|from (?:her|his|their|this|a) (?:\w+ )?(?:photo|picture|profile)s?
                |classmates?|mitschuler\w*|without (?:her|his|their) (?:consent|knowledge)|realistic|remove (?:her|his|the|their) clothes",
        ]),
        opposes: Words::new(&[
            // Without "remove", which here means harm.
            r"prevent\w*|protect\w*|detect\w*|stop(?:s|ping)?|refus\w*|forbid\w*|ban(?:s|ned)?|never|do not|don't
                |must not|verhinder\w*|schutz\w*|verbot\w*|niemals|interdi\w*|proteg\w*|jamais|nunca|vieta\w*",
            HELP,
            r"|shared (?:my|her|his)|leaked|illegal|law|sent (?:me|unsolicited)|without asking|reporting|take ?down|life drawing|anatomy|victim",
        ]),
        excuses: Words::new(&[
            SUBJECTS,
            r"|statue|painting|art history|figure drawing|eye|model in|tones?|lipstick|colou?rs?|palette|heels?|mole|truth",
        ]),
    }
}
