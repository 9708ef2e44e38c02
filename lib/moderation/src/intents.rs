//! Word lists of the requests that are not published. All words are in lower case without accents.

use std::sync::LazyLock;

use crate::dangers;
use crate::intent::Intent;
use crate::words::Words;

/// Verbs and nouns that ask to make, tell or show something.
pub(crate) const REQUESTS: &str = r"writ(?:e|ing)|creat(?:e|ing)|mak(?:e|ing)|build(?:ing)?|generat(?:e|ing)
    |cod(?:e|ing)|develop(?:ing)?|programm?(?:ing)?
    |design(?:ing)?|implement(?:ing)?|script|give|provid(?:e|ing)|produc(?:e|ing)|prepar(?:e|ing)
    |craft(?:ing)?|draft(?:ing)?|draw(?:ing)?|show|tell|teach|explain
    |describe|list|how (?:to|do|can|could|would|does)|steps?|step-by-step|instructions?|recipe|guide
    |tutorial|clone|act|play|roleplay|imagine|continue|compose|need|want|outline|invent|turn|help|which
    |what|say|plan|you are
    |schreib\w*|erstell\w*|bau\w*|programmier\w*|entwick\w*|generier\w*|verfass\w*|zeichne\w*|gib
    |erklar\w*|wie (?:kann|stell\w*|bau\w*|mach\w*|lock\w*)|anleitung|erfind\w*|spiel\w*|formulier\w*
    |brauche|hilf|mach\w*
    |ecri\w*|cree\w*|creer|genere\w*|developpe\w*|redige\w*|programme\w*|donne\w*|explique\w*|dessine\w*
    |comment|invente\w*|imagine\w*|besoin|aide\w*|fais|joue
    |escrib\w*|crea\w*|genera\w*|desarroll\w*|programa\w*|redacta\w*|dame|explica\w*|dibuja\w*|como
    |inventa\w*|necesito|ayuda\w*|haz|describe\w*
    |scriv\w*|svilupp\w*|spieg\w*|disegn\w*|racconta\w*|fammi|dammi|mostra\w*|elenca\w*|aiuta\w*
    |immagina\w*|costrui\w*|prepara\w*|fabbric\w*|programma\w*|istruzioni|ricetta|voglio|ho bisogno
    |come (?:si|posso|fare|costruire|creare|preparare)|continua|recita\w*";

/// Words of sentences that prevent or explain.
pub(crate) const OPPOSITION: &str = r"prevent\w*|protect\w*|detect\w*|defend\w*|defen[cs]e|defus\w*|stop(?:s|ping)?
    |refus\w*|declin\w*|forbid\w*|prohibit\w*|ban(?:s|ned)?|block(?:s|ed|ing)?
    |(?:to|how to|must|please) report|reporting|recogni[sz]\w*|identify\w*|identifies|warn\w*|avoid\w*
    |never|must not|do not|don't|should not|against (?:hate|racism|bullying|violence|malware|phishing
    |ransomware|attacks?|abuse|fraud)|counter|remov\w*|mitigat\w*|safeguard\w*|unacceptable
    |verhinder\w*|schutz\w*|vorbeug\w*|prav\w*|erkenn\w*|meld\w*|warn\w*|verbot\w*|verbiet\w*|niemals
    |gegen (?:rassismus|gewalt|hass|betrug|missbrauch)|entscharf\w*
    |empech\w*|proteg\w*|detecter|reconnaitre|signaler|preven\w*|jamais|interdi\w*
    |contre (?:le |la |les |l')?(?:racisme|violences?|haine|fraude)|lutte\w*
    |evitar|detect\w*|denunci\w*|prohib\w*|nunca|contra (?:el |la )?(?:racismo|violencia|odio|fraude)|reconocer
    |protegg\w*|rilev\w*|riconosc\w*|segnal\w*|vieta\w*|proibi\w*|difend\w*|avvert\w*
    |contro (?:il |la |le |l')?(?:razzismo|violenza|odio|truffe|frodi|bullismo)";

/// All kinds of requests.
pub(crate) static INTENTS: LazyLock<Vec<Intent>> =
    LazyLock::new(|| harms().into_iter().chain(dangers::intents()).collect());

fn harms() -> [Intent; 6] {
    [
        Intent {
            rule_id: "sexual_minors",
            message: "Sexual content that involves minors must not be published.",
            object: Words::new(&[
                r"erotic\w*|porn\w*|nudes?|naked|nudity|sexual(?:ly|i[sz]ed)?|sexy|sex scene|having sex
                    |sex with|explicit|lewd|nsfw|smut|fetish|hentai|undress\w*|seduc\w*|lingerie|csam
                    |groom(?:ing)?|shota(?:con)?|loli(?:con)?
                |scene de sexe|sexszenen?|rapports? sexuels?|sex mit|sexo con|faire l'amour|erotis\w*
                |nackt\w*|sexuell\w*|verfuhr\w*|kinderporn\w*|erotique\w*|nue?s?|sexuel\w*|pedoporno\w*
                |seduis\w*|erotic[oa]s?|desnud\w*|sexual(?:es)?|seduc\w*|sensual
                |sex zwischen|sex between|sexgeschicht\w*|sexuelle\w*|sex hat|sex haben|geschlechtsverkehr|fickt?|erotik\w*|intim werden
                |erotich\w*|nud[oai]|sessual\w*|spogli\w*|pornograf\w*|sesso|scena di sesso",
            ]),
            asks: vec![Words::new(&[MINORS])],
            insists: Words::new(&[
                r"erotic\w*|porn\w*|hentai|lewd|nsfw|smut|erotis\w*|erotique\w*|loli|shota|nudes
                    |nude (?:photos?|images?|pictures?|pics?|selfies?|scenes?|child\w*|girls?|boys?
                    |teen\w*|kids?)|nacktbild\w*|desnud\w*|sexy|sex scene|having sex|sexual (?:scene
                    |pictures?|act|pose)|seduc\w*|lingerie|csam|kinderporn\w*|pedoporno\w*|verfuhr\w*
                    |seduis\w*|sexuelle pose|pose sexuelle|escena sexual|scene de sexe|sexszenen?
                    |sexuelle geschichte|histoire sexuelle|sex mit|sexo con|sex zwischen|sex between|sexgeschicht\w*|erotik\w*
                    |sex hat|sex haben|sexuelle (?:szenen?|erzahlung\w*|geschichten|handlung\w*)|sesso con
                    |scena di sesso|erotic[oaih]\w*|storia sessuale|nud[oai]|explicit (?:sex|detail|scene
                    |panels)|sex with|undress\w*|groom(?:ing)? (?:\w+ ){0,5}(?:online|so that|sexual)",
            ]),
            opposes: Words::new(&[
                OPPOSITION,
                r"|abuse|missbrauch\w*|abus|abuso|laws?|legal|age of consent|prosecut\w*|moderat\w*
                    |policy|polic(?:y|ies)|therap\w*|consent|no minors|adults? only|without minors
                    |prevention|grandparents|crime|criminal|strafbar\w*|investigat\w*",
            ]),
            excuses: Words::new(&[
                r"education\w*|sexual health|health|puberty|contracepti\w*|lesson|school|class
                    |aufklarung\w*|unterricht\w*|pubertat|eveques|sante|salud|educac\w*|anatomy|medical
                    |paediatric\w*|pediatric\w*|breastfeed\w*|nurs(?:e|ing)|parent(?:s|ing)|tones?
                    |colou?rs?|palette|statue|museum|art history|awareness|research|famil(?:y|ies)
                    |plants?|flower\w*|reproduction|reproduct\w*|dogs?|cats?|pupp(?:y|ies)|rated
                    |parental|content (?:warning|rating)",
            ]),
        },
        Intent {
            rule_id: "weapons",
            message: "Instructions for explosives, untraceable guns or weapons of mass harm must not be published.",
            object: Words::new(&[
                r"sarin|soman|tabun|novichok|nowitschok|vx(?: nerve agent| gas)?|nerve (?:agents?|gas)
                    |mustard gas|senfgas|nervengift\w*|nervengas|gaz (?:sarin|moutarde|neurotoxique)
                    |gas (?:sarin|mostaza|nervioso)|chlorine gas|chlorgas|phosgene?|ricin|rizin|ricine|ricina
                |botulinum(?: toxin)?|anthrax|milzbrand|smallpox|ebola|h5n1|h7n9|bird flu
                |yersinia pestis|plague bacteria|pathogens?|bioweapons?|biological weapons?|biowaffen?
                |chemical weapons?|chemiewaffen?|arme (?:chimique|biologique)|arma (?:quimica|biologica)
                |tatp|hmtd|petn|rdx|semtex|anfo|nitroglycerine?|thermite bomb|explosives?|explosifs?
                |explosivos?|sprengstoff\w*|sprengsatz\w*|sprengkorper|ieds?|(?:pipe|nail|car|home-?made
                |fertili[sz]er|pressure cooker|dirty|nuclear|atomic|petrol|time|letter)[ -]?bombs?
                |bombs?|molotovs?(?: cocktails?)?|(?:rohr|brief|auto|nagel|atom)?bomben?
                |bomb[ea]s? (?:artisanale|casera|sale|sucia|tuyau)s?|une bombe|una bomba
                |nuclear (?:device|weapons?)|weapons[ -]grade|explosive device
                |ordign[oi]|esplosiv[oi]|gas nervino|arm[ai] (?:chimic[ah]e?|biologic[ah]e?)|bomba (?:artigianale|carta|fatta in casa)
                |(?:3d[ -]?print(?:ed|able|ing)?|untraceable|home-?made|ghost|zip|unregistered|unserialized)
                (?: \w+){0,3} (?:guns?|pistols?|firearms?|rifles?|receivers?|handguns?|glock|weapons?)|ghost guns?
                |(?:guns?|pistols?|firearms?|rifles?|handguns?|glock|ar-15)(?: \w+){0,5} (?:3d[ -]print\w*|untraceable|without (?:a )?serial)
                |(?:waffe|pistole|schusswaffe)n?(?: \w+){0,4} 3d-druck\w*|3d-gedruckte\w* (?:\w+ )?(?:waffe|pistole|schusswaffe)n?
                |arme imprimee en 3d|pistola impresa en 3d|pistola stampata in 3d",
            ]),
            asks: vec![Words::new(&[
                r"mak(?:e|ing)|build(?:ing)?|produc(?:e|ing)|synthesi[sz](?:e|ing)|synthesis
                    |construct(?:ing)?|assembl(?:e|ing)|manufactur(?:e|ing)|extract(?:ing)?
                    |purify(?:ing)?|cultivat(?:e|ing)|weaponi[sz](?:e|ing)|enrich(?:ing)?|cook(?:ing)?
                    |brew(?:ing)?|prepar(?:e|ing)|creat(?:e|ing)|mix(?:ing)?|concoct\w*|ingredients
                    |reagents?|precursors?|recipe|release|detonat(?:e|ing)|(?:build|construction) plans?
                    |blueprints?|craft(?:ing)?|develop(?:ing)?|turn(?:ing)? (?:\w+ ){1,4}into|quantities
                    |detonators?|spray\w*|dispers\w*|contaminat\w*|formula for|instructions?|protocol|at home
                |more (?:transmissible|contagious|lethal|virulent|infectious|deadly)|transmissib\w*
                |aerosoli[sz]\w*|evade vaccin\w*|gain[ -]of[ -]function
                |bau(?:e|en)?|zum bau|bauanleitung|herstell\w*|her|synthetisier\w*|synthese|zubereit\w*
                |misch\w*|bastel\w*|gewinne?|extrahier\w*|obtenir|extraire|obtener|extraer|fabrizier\w*
                |anmisch\w*|anleitung\w*|haushalts\w*|rezept|zunden|anreicher\w*
                |fabri(?:qu|c)\w*|synthetis\w*|synthese|recette|construire|produire|preparer|assembler
                |fabricar|hacer|receta|construir|producir|sintetiz\w*|sintesis|preparar|armar
                |come (?:si )?fa(?:re)?|costrui\w*|fabbric\w*|ricetta|produrre|sintetizz\w*|assembl\w*|prepara\w*|realizzare
                |print(?:s|ing)?|files?|stl|druck\w*|imprimer|imprimir|stampare",
            ])],
            insists: Words::new(&[
                r"step[ -]by[ -]step|exact (?:\w+ )*(?:amounts?|quantit\w+|reagents?)|reagents?
                    |quantities|detonators?|synthesi[sz](?:e|ing)|synthesis route|at home|household
                    |kill people|(?:poison|infect|kill) (?:someone|people|as many|my \w+|him|her)
                    |vergiften|empoisonner|envenenar|as many as possible|crowd\w*|water supply
                    |untrace\w*|genaue mengen|schritt fur schritt|haushalts\w*|over (?:a|the) (?:city
                    |stadium|crowd)|etape par etape|paso a paso|caser[oa]s?|artisanale?|passo (?:dopo|per) passo|in casa|untraceable|no serial|without (?:a )?serial|ghost guns?",
            ]),
            opposes: Words::new(&[
                OPPOSITION,
                r"|treat(?:ment|ed|y|ies)?|antidotes?|patients?|exposed|exposure|symptoms?|first aid
                    |convention|konvention|disposal|decontaminat\w*|clean[ -]?up|licen[cs]e|sanctions?
                    |treaty|vaccines? (?:work|change)|vaccination|cures?|museum|non-alcoholic|lemonade|(?:toy|nail|glue|heat|spray|staple|massage|water) guns?|holsters?|nerf|regulat\w*|legislation
                    |mocktail|drinks?",
            ]),
            excuses: Words::new(&[
                r"histor\w*|war|wars|krieg\w*|guerre|guerra|novel|story|fiction\w*|chapter|scene
                    |thriller|krimi|roman|cuento|relato|film|screenplay|game|lore|fantasy|myster\w*
                    |exam\w*|law|laws|legal|strafbar\w*|strafrecht|ethic\w*|debate|pharmacolog\w*|lesson
                    |lecture|students?|essay|museum|bath|seed|lavender|cake|dessert|photo|fork|zip|logic
                    |badebombe|mining|speech|timeline|news|volcano|rocket|canning|food
                    |d&d|dnd|dungeons?|goblins?|orcs?|elves|dwar(?:f|ves)|wizards?|dragons?|adventures?|quest
                    |campaign|players?|minecraft|comic|cosplay|props?|nerf|water guns?|paintball|romanzo|storia",
            ]),
        },
        Intent {
            rule_id: "malware",
            message: "Requests for malicious software must not be published.",
            object: Words::new(&[
                r"malware|ransomware|keyloggers?|key loggers?|spyware|stalkerware|rootkits?
                    |infostealers?|info-stealers?|password stealers?|token (?:grabber|stealer)s?
                    |trojans?|trojaner|computer (?:virus|worm)|virus that|worms?|botnets?|ddos
                    |denial[ -]of[ -]service|backdoors?|(?:macro )?droppers?|cryptojack\w*|crypto ?miner
                    |remote access trojan|rat without|exploit kit|self-(?:spreading|replicating
                    |propagating)|logic bomb|shellcode(?: loader)?|ransom note|silently encrypts?
                    |encrypts? (?:all|every|the victim's|their|people's) (?:\w+ )?files|(?:token|cookie
                    |password) (?:grabber|logger)s?|malicious (?:code|macro|script|payload|software)
                |floods?|takes? (?:the |down )(?:\w+ ){0,4}(?:site|server)\w*
                |schadsoftware|erpressungstrojaner|computervirus|virus informatique|logiciel (?:espion
                |malveillant)|rancongiciel|cheval de troie|enregistreur de frappe|virus informatico
                |troyanos?|programa espia|software malicioso|gusano informatico
                |software malevolo|(?:steal|grab|exfiltrat|harvest)(?:e?s|e|ing)? (?:\w+,? ){0,3}(?:document\.)?(?:cookies?|passwords?|tokens|session(?:s| ids?)?|credentials|keystrokes)
                |collect(?:s|ing)? (?:saved|stored) (?:\w+ )?passwords|(?:cookies|passworter|passwords?|zugangsdaten|mots de passe|contrasenas)(?: \w+){0,4} (?:stiehlt|stehlen|klaut|klauen|ausliest|abgreift|vole|roba|ruba)
                |(?:vole|voler|roba|robe|robar|ruba|rubare) (?:\w+ ){0,3}(?:cookies?|mots de passe|contrasenas|password)
                |virus informatic[oi]|programma spia",
            ]),
            asks: vec![Words::new(&[
                r"(?:writ|creat|mak|cod|generat)(?:e|ing)|build(?:ing)?|develop(?:ing)?|program(?:ming)?
                    |design(?:ing)?|implement(?:ing)?|script|give|provide|produc(?:e|ing)|craft(?:ing)?
                    |deploy|launch|install|need|want|turn|help me|how (?:do|can) i
                |schreib\w*|erstell\w*|bau\w*|programmier\w*|entwick\w*|generier\w*|ecri\w*|cree\w*
                |creer|genere\w*|developpe\w*|programme\w*|code|escrib\w*|crea\w*|genera\w*|desarroll\w*
                |programa\w*|necesito|quiero|haz|brauche|will|mach\w*|besoin|veux|fais
                |scriv\w*|svilupp\w*|programma\w*|costrui\w*|voglio|fammi|code|skript\w*|extension",
            ])],
            insists: Words::new(&[
                r"my payload|se propague|qui se propage|der sich verbreitet|infected|victims?|victimes?
                    |victimas?|opfers?|steal(?:s|ing)?|grabs?|secretly
                    |without (?:the |their |her |his )?(?:user|owner|consent|knowledge|notic\w*
                    |know\w*)\w*|demands? (?:\w+ )?(?:bitcoin|ransom|payment)|my server|hacked
                    |(?:sends?|posts?|uploads?|mails?) (?:\w+ ){0,4}(?:home|to (?:my|a remote|an external|our))
                    |remote server|webhook|visitors'?|di nascosto|vittim[ae]|ruba\w*|invia
                    |runs? hidden|heimlich|unbemerkt|an mich|a l'insu|vole\w*|rob(?:e|ar|an)
                    |infects? (?:all|every)|competitors?|girlfriend|boyfriend|wife|husband|neighbou?r
                    |coworkers?|silently|ransom note|knock\w*(?: \w+){0,5} offline
                    |take\w*(?: \w+){0,5} (?:down|offline)|proxies|mails? me
                    |sends? (?:it |them |everything )?to me",
            ]),
            opposes: Words::new(&[
                OPPOSITION,
                r"|analy[sz]\w*|yara|indicators?|decompil\w*|incident|response plan|awareness|tabletop
                    |quarantin\w*|honeypot|staging|load test|our own|lecture|history|forensic\w*|scanner
                    |clean up|patch\w*|explain\w*|remediat\w*|recover\w*|withstand\w*|surviv\w* (?:a
                    |an) |rate limit\w*|outage|postmortem|caused by|resilien\w*|backup plan|resist\w*
                    |study|studying",
            ]),
            excuses: Words::new(&[
                r"history|histor\w*|novel|story|stories|fiction|thriller|myth|horse|scene|game|character
                    |lesson|lecture|beginners|training|awareness|incident|response|plan|policy|report
                    |ctf|exam|quiz|threat model|course|glossary|children|gardens?|earthworms?|river
                    |weather|rain\w*|inbox|water|compost\w*",
            ]),
        },
        Intent {
            rule_id: "phishing",
            message: "Requests for deception that takes credentials or money must not be published.",
            object: Words::new(&[
                r"phishing(?:[ -]\w+)?|phish|smishing|vishing|spear-?phish\w*|hameconnage|suplant\w*
                    |fake (?:\w+ ){0,3}(?:login|sign-?in|log-?in|bank|payment|verification) (?:page|form
                    |site|website|portal|screen)s?|(?:clone|copy|replica|imitation|fake
                    |mimic\w*)(?: \w+){0,6} (?:login|log-in|sign-in|sign-on|checkout|payment) (?:page
                    |form|site|screen)
                |(?:captured?|harvest\w*|steals?|stealing|stolen|victims'?|collects? (?:their
                |the)) (?:\w+ ){0,2}(?:credentials?|passwords?|logins?|pins?|credit card\w*
                |card numbers?|bank details|otp|2fa codes?)
                |trick\w* (?:\w+ ){0,8}(?:pin|passwords?|credentials|wir\w+|money|bank details|card
                |gift cards?|codes?)|(?:posing|poses?|pretend\w*
                |impersonat\w*) (?:\w+ ){0,6}.{0,80}?(?:passwords?|pin|credentials|credit card\w*
                |wir(?:e|ing)|card numbers?|codes?)
                |(?:romance|grandson|grandparent|lottery|refund|tech support|advance[ -]fee|investment
                |crypto) scams?
                |(?:tan|pin|zugangsdaten|passworter|kreditkarte\w*)(?: \w+){0,3} (?:erschleich\w*
                |abgreif\w*|abzugreifen|stehlen|ergaunern)|phishing-\w+
                |voler (?:les |des |leurs )?(?:identifiants|mots de passe|codes?)\w*
                |robar (?:\w+ ){0,2}(?:contrasenas|credenciales|datos bancarios|claves)
                |(?:rubare|carpire|sottrarre) (?:\w+ ){0,2}(?:password|credenziali|dati bancari|codici|pin)
                |(?:falsa|finta) pagina (?:\w+ ){0,2}(?:login|accesso|banca)|pagina (?:\w+ ){0,3}(?:falsa|finta)",
            ]),
            asks: vec![Words::new(&[REQUESTS])],
            insists: Words::new(&[
                r"steal(?:s|ing)?|harvest\w*|victims?'?|captured|my (?:\w+ ){0,2}(?:server|telegram|page
                    |account|bot|panel|inbox)|to me|giving me|give me their|send me|trick\w*|admin panel
                    |kit|abzugreifen|erschleich\w*|stehlen|voler|robar|so that people|get lonely",
            ]),
            opposes: Words::new(&[
                OPPOSITION,
                r"|awareness|authori[sz]ed|training|schulung|simulat\w*|classif\w*|triage|spot|clues
                    |educat\w*|teach (?:staff|employees|people|users)|newsletter|poster|policy|liability
                    |ruling|lawsuit|filter\w*|legitimate|(?:was|were|been|got) (?:tricked|scammed
                    |phished)|money back|sensibilis\w*|formacion|taller|concien\w*|schlussel|hinweise
                    |analy[sz]\w*",
            ]),
            excuses: Words::new(&[
                r"awareness|training|simulat\w*|exercise|schulung|sensibilis\w*|formacion|quiz|lesson
                    |lecture|course|explain\w*|what is|novel|story|thriller|scene|react|html|css
                    |tailwind|component|ui|ux|figma|our (?:app|product|site|website)|accessib\w*|law
                    |court|defin\w*|glossary",
            ]),
        },
        Intent {
            rule_id: "phishing",
            message: "Requests for deception that takes credentials or money must not be published.",
            object: Words::new(&[
                r"passwords?|pins?|card (?:numbers?|details|data)|credit cards?|bank(?:ing)? details
                    |credentials|seed phrases?|recovery phrases?|otps?|one-time codes?
                    |verification codes?|2fa codes?|log-?in (?:data|details)|what (?:victims|users
                    |people|they) (?:type|enter)|money|gift cards?|savings|wallets?
                |passworter|passwort|zugangsdaten|tan|tans|kreditkarte\w*|kontodaten|geld|ersparnisse
                |mots? de passe|identifiants?|carte bancaire|codes?|coordonnees bancaires|argent
                |contrasenas?|tarjetas?|claves?|datos bancarios|credenciales|dinero|credenziali|dati bancari|codic[ei]|carta di credito|soldi|denaro",
            ]),
            asks: vec![
                Words::new(&[
                    r"fake|faking|in the (?:style|name) of|promis\w*|on behalf of|im namen|wie von
                        |au nom d\w*|promet\w*|en nombre d\w*|spoof\w*|pos(?:e|es|ing) as|pretend\w*
                        |impersonat\w*|looks? like (?:it |they )?(?:is |are |comes? |was )?(?:from
                        |an? |the )|identical to|imitat\w*|clon(?:e|es|ing)|copy of|scams?|trick\w*
                        |lur(?:e|es|ing)|dup(?:e|es|ing)|con (?:people|seniors|users)
                    |gefalscht\w*|falsche\w*|ausgeb\w*|ausgib\w*|vorgeb\w*|vorgib\w*|vortausch\w*
                    |enkeltrick|betrug\w*|schockanruf\w*|faux|fausses?|usurp\w*|se fai\w* passer|imit\w*
                    |arnaque\w*|fals[oa]s?|suplant\w*|hacer\w* pasar|finge|fing\w*|estaf\w*|imita\w*|engan\w*|finge\w*|fint[oa]|truff\w*|spacci\w*|ingann\w*|a nome d\w*",
                ]),
                Words::new(&[
                    r"to me|tell me|give me|giving me|send(?:s|ing)? me|mails? me|my (?:\w+ )?(?:form
                        |server|page|site|account|inbox|bot|telegram|number|wallet)|steal\w*|stores?
                        |captur\w*|harvest\w*|collects?|victims?|into (?:giving|revealing|sending|paying
                        |telling)
                    |an mich|mir|meine[mnr]?|abgreif\w*|abzugreifen|stehlen|klauen|ergaunern|opfer
                    |m'envoie\w*|m'envoyer|voler|vole|voles|recuper\w*|victimes?|robar|roba|robe
                    |me (?:envi\w*|mand\w*|d[ae]n?)|victimas?|conseguir|rubare|ruba|vittim[ae]|mandar(?:mi|e)|inviar(?:mi|e)|mi (?:invi\w*|mand\w*|d[ai]a?n?o?)|carpire",
                ]),
            ],
            insists: Words::new(&[
                r"to me|tell me|give me|send me|my (?:\w+ )?(?:form|server|page|account|inbox|bot
                    |telegram|wallet)|steal\w*|victims?|an mich|mir geld|abgreif\w*|stehlen|m'envoie\w*
                    |voler|robar|victimas?|victimes?|opfer|rubare|vittim[ae]|carpire|inviarmi|mandarmi",
            ]),
            opposes: Words::new(&[
                OPPOSITION,
                r"|awareness|authori[sz]ed|training|schulung\w*|simulat\w*|classif\w*|triage|spot|clues
                    |educat\w*|newsletter|poster|policy|liability|ruling|victims of|money back|(?:was
                    |were|been|got) (?:tricked|scammed|phished)|tests?|fixtures?|mock|dummy
                    |sensibilis\w*|formacion|taller|aufklar\w*|quiz",
            ]),
            excuses: Words::new(&[
                r"awareness|novel|story|thriller|scene|fiction\w*|krimi|roman|novela|game|magic|test\w*
                    |mock|lesson|lecture|law|court|research",
            ]),
        },
        Intent {
            rule_id: "violence_against_group",
            message: "Calls for violence against a group of people must not be published.",
            object: Words::new(&[
                r"(?:kill(?:ing)?|murder(?:ing)?|exterminat\w+|eradicat\w+|gas(?:sed|sing)?
                    |lynch(?:ing)?|shoot(?:ing)?|stab(?:bing)?|slaughter\w*|burn(?:ing)?(?: down| out
                    | alive)?|attack(?:s|ing)?|beat(?:ing)? up|bomb(?:ing)?|behead\w*|hang(?:ing)?
                    |wip(?:e|ing) out|drown(?:ing)?|extermination|destroy(?:ing)?|set(?:ting)? fire to
                    |bash(?:ing)?|hurt(?:ing)?|violence|genocide)
                (?: \w+){0,3}? (?:on |against |of )?(?:all |the |every |those |these |more |black |gay |white )*(?:",
                GROUPS,
                r")|(?:",
                GROUPS,
                r")(?: \w+){0,2} (?:must|should|deserve\w*|need|have
                    |ought)(?: to)?(?: all)?(?: be)? (?:die|killed|exterminated|gassed|shot|lynched
                    |burn\w*|wiped out|hanged|eradicated|slaughtered|beaten|destroyed)
                |(?:",
                GROUPS,
                r")(?: \w+){0,6} (?:totschl\w*|anzuzund\w*|niederzubrenn\w*|auszurott\w*|umzubring\w*
                    |zu (?:toten|erschiesen|verprugeln|vergasen)|niederbrenn\w*|verpruge\w*|anzund\w*
                    |toten|ermord\w*|vergas\w*|abknall\w*|erschies\w*|umbring\w*|ausrott\w*|aufhang\w*
                    |verbrenn\w*)|(?:toten|ermorden|vergasen|ausrotten|verprugeln|erschiesen)(?: \w+){0,3} (?:",
                GROUPS,
                r")|(?:tuer|tuez|tuons|exterminer|massacrer|gazer|lyncher|frapper|bruler|egorger
                    |eliminer|pendre|fusiller|abattre|tabasser)(?: \w+){0,4} (?:",
                GROUPS,
                r")|(?:matar|matad|maten|exterminar|quemar|linchar|gasear|apalear|fusilar|degollar
                    |ahorcar|golpear|disparar)(?: \w+){0,4} (?:",
                GROUPS,
                r")|(?:uccider[ei]|uccidete|uccidiamo|ammazz\w*|stermin\w*|bruciare|bruciamo|gasare|linciare|massacr\w*
                    |picchiare|impiccare|fucilare|eliminare)(?: \w+){0,4} (?:",
                GROUPS,
                r")|(?:",
                GROUPS,
                r")(?: \w+){0,6} (?:vermin|rats|cockroaches|parasites?|subhumans?|animals
                    |untermenschen|ungeziefer|parasiten|ratten|vermine|cafards|ratas|cucarachas|parasitos|parassiti|ratti|topi|scarafaggi)
                (?:\W+\w+){0,8}\W+(?:kill\w*|exterminat\w*|die|dead|wiped|eliminat\w*|eradicat\w*|purge\w*|getotet|vernicht\w*|ausgerottet|sterben|totet|extermin\w*|eliminad\w*|stermina\w*|ucci[ds]\w*|matar\w*|tuer|tues)",
            ]),
            asks: vec![Words::new(&[
                REQUESTS,
                r"|argu\w*|celebrat\w*|prais\w*|glorif\w*|justif\w*|verherrlich\w*|feier\w*|poem|lyrics
                    |gedicht|lied|poeme|poema|call(?:s|ing)?|let us|let's|we must|post|speech|chant
                    |slogan|pamphlet|thread|flyer|manifesto|song|urg(?:e|es|ing)|encourag\w*|aufruf
                    |lasst uns|appel\w*|discours|texto|discurso|incit\w*|testo|discorso|inno|invit\w*|invoca\w*|esort\w*|are (?:vermin|rats|cockroaches|subhuman\w*)",
            ])],
            insists: Words::new(&[
                r"call(?:s|ing)? (?:on|for|to)|urg(?:e|es|ing)|encourag\w*|incit\w*|aufruf\w*|appelle\w*
                    |appelant|deserve\w*|we must|lasst uns|(?:ought to|should
                    |must)(?: all)?(?: be)? (?:die|killed|shot|hanged|gassed|lynched|exterminated|beaten)",
            ]),
            opposes: Words::new(&[
                OPPOSITION,
                r"|histor\w*|holocaust|shoah|genocide (?:of|in)|timeline|memorial|survivors?|victims
                    |statistics|support services|were (?:murdered|killed|gassed|shot|lynched)|punish\w*
                    |criminal|condemn\w*|moderat\w*|classif\w*|calm|reply to|counter\w*|strafbar\w*
                    |prison|commemorat\w*|hilf\w*|lernen|analy[sz]\w*|essay|sources|photo\w*
                    |hate crimes?|courts?|police|vandalism|boxing|killing it",
            ]),
            excuses: Words::new(&[
                r"histor\w*|lesson|novel|fiction|dystopi\w*|chapter|essay|documentary|law|court
                    |moderation|moderators?|counter|research|report|museum|classifier|journalis\w*|news",
            ]),
        },
    ]
}

/// Words for people under age.
const MINORS: &str = r"(?:a |an |my )?(?:[1-9]|1[0-7]|ten|eleven|twelve|thirteen|fourteen|fifteen
    |sixteen|seventeen)[ -]?(?:years?[ -]olds?|yo|yrs?[ -]old|y/o)|aged? (?:of )?(?:[1-9]|1[0-7])
    |children|child|kids?|toddlers?|preteens?|pre-teens?|underage(?:d)?|minors?|schoolgirls?|schoolboys?
    |little (?:girls?|boys?)|teen(?:age(?:r|rs|d)?|s)?|lolis?|lolicon|shotas?|shotacon|csam
    |kinderporn\w*|pedoporno\w*|middle school\w*|primary school\w*
    |(?:[1-9]|1[0-7])-?jahrig\w*|kinder[ns]?|kindes?|(?:[1-9]|1[0-7]) jahren? alt\w*|minderjahrig\w*
    |schulmadchen|alter von (?:[1-9]|1[0-7]) jahren
    |enfants?|mineure?s?|fillettes?|(?:[1-9]|1[0-7]) ans|collegiennes?|ninas?|ninos?
    |menor(?:es)? de edad|menores|(?:[1-9]|1[0-7]) anos|colegialas?
    |(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|[1-9]th) grade(?:rs?|r's)?|junior high
    |(?:ein|das|dem|einem|eines|des) kind|madchen|jungen|kindern|schuler(?:in|innen)?|grundschul\w*|(?:siebten?|sechsten?
    |funften?|achten?|vierten?|dritten?|[1-9]\.) (?:klasse|klassler\w*)|kleine[nrs]? (?:madchen|jungen?|schwester|bruder)
    |bambin[oaie]|minorenn[ei]|ragazzin[oaie]|adolescent[ei]|(?:[1-9]|1[0-7]) anni|(?:dodic|tredic|quattordic|quindic|sedic)enn[ei]
    |scolar[ei]|alunn[oaie]";

/// Targets of calls for violence.
const GROUPS: &str = r"jews?|jewish people|muslims?|christians?|hindus?|sikhs?|blacks|black people
    |white people|asians?|arabs?|mexicans?|africans?|immigrants?|migrants?|refugees?|foreigners?|gays?
    |gay people|lesbians?|homosexuals?|queers?|(?:gay|black|muslim|jewish|trans|white|asian) (?:men
    |women|people|kids|families)|trans(?:gender)? people|women|roma|gypsies|disabled people|disabled
    |mosques?|synagogues?|refugee (?:homes?|shelters?)
    |juden|muslime\w*|christen|auslander\w*|fluchtlinge?n?|migranten|schwarze\w*|homosexuelle\w*
    |schwule\w*|frauen|behinderte\w*|zigeuner|moscheen?|synagogen?|fluchtlingsheime?\w*|turken|araber|roma
    |juifs?|musulmans?|chretiens?|arabes?|noirs?|etrangers?|immigres?|migrants?|refugies?|homosexuels?
    |femmes|roms|mosquees?|synagogues|musulmanes|juives|gays
    |judios?|musulmanes?|cristianos?|inmigrantes?|extranjeros?|refugiados?|negros|homosexuales|mujeres
    |gitanos?|mezquitas?|sinagogas?|moros|gays|maricas
    |migranti|ebre[io]|musulman[ie]|cristiani|ner[ie]|immigrat[ie]|stranieri|rifugiat[ie]|omosessuali|donne|zingari|rom|moschee
    |sinagoghe|disabili|arabi|africani";
