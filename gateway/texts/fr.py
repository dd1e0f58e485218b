"""French."""

from gateway.texts.fr_answering import ANSWERING
from gateway.texts.fr_files import FILES
from gateway.texts.fr_jobs import JOBS

SENTENCES = {
    **FILES,
    **ANSWERING,
    **JOBS,
    "apology": (
        "Désolé, je n’ai pas pu répondre à cela : trois essais ont échoué. Redemande, peut-être avec d’autres mots."
    ),
    "refused": "Désolé, le modèle refuse cette demande telle quelle. Redemande avec d’autres mots.",
    "empty": "(Le modèle n’a rien répondu.)",
    "model.refused_key": (
        "Mon fournisseur de modèle refuse ma clé, je ne peux donc pas répondre pour l’instant. Qui m’administre peut "
        "en voir la raison dans le journal. Ton message est en sûreté ; je répondrai quand cela remarchera."
    ),
    "model.unknown_model": (
        "Mon fournisseur de modèle ne connaît pas le modèle {model}, je ne peux donc pas répondre pour l’instant. "
        "Qui m’administre peut y remédier. Ton message est en sûreté ; je répondrai quand cela remarchera."
    ),
    "model.rate_limit": (
        "Le modèle {model} ne prend plus de demandes pour l’instant{when}. Ton message est en sûreté ; je répondrai "
        "quand il en reprendra."
    ),
    "model.outage": (
        "Je n’arrive pas à joindre le modèle {model} pour l’instant. Ton message est en sûreté ; je répondrai quand "
        "il sera revenu."
    ),
    "model.timeout": (
        "Le modèle {model} ne répond pas pour l’instant. Ton message est en sûreté ; je répondrai quand il le fera."
    ),
    "model.when": " et demande de réessayer dans {seconds} s",
    "model.gone": "Le modèle est resté injoignable un jour entier, j’ai donc renoncé. Redemande plus tard.",
    "working": "y travaille…",
    "sealed": "Je ne peux pas lire ton courriel : il est chiffré, et je n’ai pas de clé. Renvoie-le sans chiffrement.",
    "forged": (
        "Un courriel qui prétend venir de {sender} m’est parvenu, et je l’ai rejeté : {why}. S’il était de toi, ton "
        "fournisseur ou ma boîte doit être mieux configuré ; sinon, quelqu’un a voulu parler en ton nom."
    ),
    "fresh.idle": "(Nouveau départ : rien n’a été dit ici pendant {hours:g} h.)",
    "fresh.daily": "(Nouveau départ : un nouveau jour a commencé à {at}.)",
    "fresh.back": "`/resume` revient à « {title} ».",
    "choice.resume": "Reprendre",
    "keep.warning": "(La discussion « {title} » se termine dans {minutes} min si rien n’est dit.)",
    "keep.about": "garder la discussion « {title} »",
    "choice.keep.keep": "La garder",
    "choice.keep.end": "La laisser finir",
    "keep.kept": "« {title} » continue.",
    "keep.ends": "Elle se terminera d’elle-même.",
    "keep.over": "Cette discussion est déjà terminée ; `/resume` y revient.",
    "continues": "suite de {platform}, il y a {ago}",
    "untitled": "sans titre",
    "new": "Nouveau départ. Ce que nous avons dit jusqu’ici est clos.",
    "nothing_to_close": "Rien à clore : c’est déjà un nouveau départ.",
    "sessions.now": "Maintenant : {title}",
    "sessions.line": "{n} : {title}, il y a {ago}",
    "sessions.none": "Il n’y a pas encore de discussion antérieure ici.",
    "sessions.not_found": "Rien ici ne portait ce nom et rien de tel n’a été dit : « {words} ».",
    "sessions.how": "`/resume N` revient à l’une d’elles, `/sessions MOTS` cherche.",
    "sessions.more": "{count} de plus ; `/sessions MOTS` les trouve.",
    "resumed": "De retour à « {title} » ; je sais ce que nous y avons dit.",
    "resume.here": "Nous sommes déjà dans « {title} ».",
    "resume.nothing": "Il n’y a pas de discussion antérieure à laquelle revenir.",
    "resume.unknown": "Je ne trouve pas de discussion antérieure nommée « {title} ». `/sessions` les énumère.",
    "resume.many": "Cela convient à plusieurs :",
    "title.set": "Cette discussion s’appelle maintenant « {title} ».",
    "title.is": "Cette discussion s’appelle « {title} ». `/title TEXTE` change cela.",
    "title.nothing": "Il n’y a pas encore de discussion à nommer ; écris d’abord quelque chose.",
    "unknown_command": "Je ne connais pas /{word}. Voulais-tu dire /{nearest} ? /help énumère ce que je sais faire.",
    "unknown_command.bare": "Je ne connais pas /{word}. /help énumère ce que je sais faire.",
    "not_allowed": "/{word} demande le rôle {role} ; ici tu es {mine}.",
    "help": "Je suis {name}. Écris-moi comme à une personne. Ces mots font quelque chose de spécial :\n\n{commands}",
    "whoami": "Pour moi tu es **{name}**, avec le rôle {role}.\n\nComptes : {accounts}\nFuseau horaire : {timezone}",
    "whoami.group": "Dans ce groupe tu parles avec le rôle {role}.",
    "stopped": "Arrêté.",
    "stopped.placeholder": "(arrêté)",
    "stopped.parts": "Arrêté ; le reste de la réponse est retiré.",
    "stopped.queued": "Arrêté. Retiré aussi : {count} message(s) en attente.",
    "nothing_to_stop": "Rien n’est en cours.",
    "status": "{platforms}\n\nModèle : {models}.\n\nEn attente : {waiting}. En cours : {running}.{incidents}",
    "status.incident": "\nProblème : {subject} depuis {minutes} min.",
    "status.group": "Je suis là. Les détails sont pour la discussion directe.",
    "receipt.steer": "C’est noté. J’en tiens compte à ma prochaine étape.",
    "receipt.followup": "C’est noté. J’y réponds après ceci ; en attente avant : {count}.",
    "receipt.collect": "C’est noté. J’y réponds avec tout ce que tu écriras d’ici que j’aie fini.",
    "receipt.full": (
        "Je n’ai pas pu garder cela : {most} messages de cette discussion attendent déjà. Renvoie-le plus tard."
    ),
    "edit.offer": (
        "Tu as modifié un message auquel j’ai déjà répondu. Dois-je y répondre tel qu’il est maintenant (`/retry "
        "{turn}`) ?"
    ),
    "edit.again": "Répondre à nouveau",
    "queue.is": "Pendant que je travaille à une réponse : **{mode}**, {means}. Choisis avec `/queue MODE` : {modes}.",
    "queue.now": "Désormais, pendant que je travaille à une réponse : **{mode}**, {means}.",
    "queue.unknown": "Il n’y a pas de mode {word}. Il y a : {modes}.",
    "queue.group": (
        "Dans un groupe, chaque message attend son tour, car personne ne doit diriger la réponse d’un autre."
    ),
    "queue.steer": "ce que tu écris s’y joint à ma prochaine étape",
    "queue.followup": "ce que tu écris attend, et chaque message reçoit sa propre réponse",
    "queue.collect": "ce que tu écris attend, puis reçoit une réponse d’ensemble",
    "queue.interrupt": "ce que tu écris l’arrête, et je recommence avec tout ce que tu as dit",
    "retry.nothing": "Il n’y a rien ici à quoi je puisse répondre à nouveau.",
    "undone": "Oublié : {count} échange(s). Ils sont gardés 7 jours ; d’ici là `/undo back` les ramène.",
    "undo.back": "Ramener",
    "undo.is_back": "De retour : {count} échange(s).",
    "undo.nothing": "Il n’y a rien ici à oublier ni à ramener.",
    "summary.retry": "répondre à nouveau au dernier message",
    "summary.undo": "oublier les derniers échanges ; un nombre peut suivre",
    "summary.queue": "ce qu’il advient de ce que tu écris pendant que je travaille",
    "approval.ask": (
        "Puis-je utiliser **{tool}** avec ceci ?{why}\n\n{call}\n\nRéponds par un bouton, ou `/approve {id}` ou `/deny "
        "{id}`, jusqu’à {until}. Pas de réponse veut dire non."
    ),
    "approval.why.outside": (
        "\n\nCette conversation contient des mots d’autres personnes ({outside}), et ce sont peut-être eux"
        " qui le veulent. Si ce"
        " n’est pas *toi* qui le veux, dis non."
    ),
    "approval.why.address": (
        "\n\nPersonne ne m’a donné cette adresse : tu ne l’as pas écrite, aucune recherche ne l’a trouvée,"
        " aucune page n’y"
        " mène. Une adresse peut emporter ce que je sais."
    ),
    "message.asked": "{name} m’a demandé de te dire :",
    "approval.long": "… et {count} caractères de plus : le fichier joint contient tout.",
    "approval.waits": "J’attends ton mot sur **{tool}** : `/approve {id}` ou `/deny {id}`.",
    "choice.call.once": "Une fois",
    "choice.call.session": "Pour cette discussion",
    "choice.call.always": "Toujours",
    "choice.call.no": "Non",
    "approval.not_allowed": "Décider de {tool} demande au moins le rôle {role}.",
    "approval.elsewhere": (
        "Un courriel ne peut pas permettre cela (`email.approvals` est désactivé). Dis `/approve {id}` sur une autre "
        "plateforme ; `/deny {id}` marche aussi par courriel."
    ),
    "approval.decided.once": "Permis : {tool}, cette fois seulement.",
    "approval.decided.session": "Permis : {tool}, jusqu’à la fin de cette discussion.",
    "approval.decided.always": "Permis : {tool}, désormais. `/deny always` le retire.",
    "approval.asked_again": "Désormais je redemande : {tools}.",
    "approval.nothing_allowed": "Rien n’est permis plus longtemps : je demande chaque fois.",
    "approval.decided.no": "Pas permis : {tool}.",
    "summary.help": "ce que je sais faire",
    "summary.start": "ce que je sais faire",
    "summary.whoami": "qui tu es pour moi",
    "summary.sessions": "nos discussions ici ; des mots y cherchent",
    "summary.resume": "revenir à une discussion antérieure, par numéro ou titre",
    "summary.title": "nommer cette discussion",
    "summary.new": "clore cette discussion et repartir ; un titre peut suivre",
    "summary.stop": "arrêter la réponse en cours et ce que tu as mis en attente",
    "summary.status": "comment je vais",
    "platforms.line": "- {name} : {state}, entendu pour la dernière fois il y a {age}, {waiting} à envoyer",
    "platforms.how": "`/platforms pause NAME` en suspend un, `/platforms resume NAME` le relance.",
    "platforms.unknown": "Il n’y a pas de compte {name} ici. Il y a : {names}.",
    "platforms.paused": (
        "{name} est maintenant suspendu : rien n’y entre ni n’en sort, même après un redémarrage. Ce que les gens "
        "écrivent attend sur la plateforme tant qu’elle le garde. `/platforms resume {name}` le relance."
    ),
    "platforms.paused_here": (
        "{name} est maintenant suspendu, et je ne t’entends plus ici. `/platforms resume {name}` le relance, depuis "
        "une autre plateforme ou par `dragoman chat` sur ma machine. Ce que tu écris ici attend tant que la "
        "plateforme le garde."
    ),
    "platforms.paused_already": "{name} est déjà suspendu.",
    "platforms.resumed": "{name} reprend et rattrape son retard.",
    "platforms.runs": "{name} n’est pas suspendu ; `/platforms` dit comment il va.",
    "summary.platforms": "comment vont mes connexions ; en suspendre ou relancer une",
    "restart": "Je termine ce qui est en cours et je redémarre. Tes messages attendent entre-temps.",
    "summary.restart": "terminer ce qui est en cours et redémarrer",
    "summary.pair": "joindre un autre de tes comptes avec un code",
    "offer.none": "Rien de nommé {id} n’attend de réponse.",
    "offer.nothing": "Rien n’attend ta réponse.",
    "offer.list": "Ceci attend ta réponse ; `/approve ID` ou `/deny ID` la donne :\n\n{offers}",
    "offer.not_yours": "Ce n’est pas à toi de répondre à {id}.",
    "offer.decided": "{id} a déjà sa réponse : {word}, par {name}.",
    "offer.expired": "{id} a expiré ; rien n’a été fait.",
    "offer.words": "À {id} on peut répondre : {words}.",
    "summary.approve": "dire oui à ce qui attend ta réponse",
    "summary.deny": "dire non à ce qui attend ta réponse",
    "pair.welcome": "Bienvenue, {name}. Tu es maintenant {role}. /help énumère ce que je sais faire.",
    "pair.configured": "Ton rôle est écrit dans ma configuration et ne change que là : tu es {role}.",
    "pair.raised": "C’est fait : tu es maintenant {role}.",
    "pair.known": "Tu es déjà {role} ici ; le code n’a pas encore servi.",
    "pair.wrong": "Ce code n’est pas (ou plus) valable.",
    "pair.locked": "Trop de codes faux. Réessaie dans une heure.",
    "pair.no_owner": (
        "Je n’appartiens encore à personne. Si tu m’administres, crée un code sur ma machine avec `dragoman pair new "
        "--role owner` et envoie-le ici ainsi : `/pair CODE`."
    ),
    "pair.in_group": (
        "Les codes ne comptent que dans une discussion directe. Celui-ci est désormais nul ; demandes-en un nouveau."
    ),
    "pair.crowd": "Trop de codes faux sont venus de comptes que je ne connais pas ici. Réessaie dans une heure.",
    "pair.direct": "Les codes sont pour les discussions directes. Envoie-moi /pair là-bas.",
    "pair.code": (
        "Envoie-moi `/pair {code}` depuis ton autre compte dans les dix minutes. Je te demanderai ici avant de le "
        "joindre. Ne le montre à personne : qui l’envoie demande à être toi."
    ),
    "request.told": (
        "Je ne te connais pas encore. Me parles-tu ailleurs ? Envoies-y `/pair {code}`. Sinon, le propriétaire a été "
        "consulté."
    ),
    "request.ask": (
        "{name} ({account}) m’écrit et m’est inconnu. Qui est-ce ? (`/approve {id}` ou `/deny {id}` convient aussi.)"
    ),
    "request.me": "Alors envoie ici `/pair CODE`, avec le code que je t’ai montré là-bas.",
    "request.known": "{name} a été admis entre-temps, comme {role}.",
    "request.denied": "{name} n’est pas admis et n’entendra plus rien pendant un jour.",
    "request.blocked": "{name} est bloqué.",
    "request.admitted": "{name} est admis comme {role}.",
    "choice.stranger.me": "C’est moi",
    "choice.stranger.user": "Admettre comme user",
    "choice.stranger.guest": "Comme guest",
    "choice.stranger.deny": "Refuser",
    "choice.stranger.block": "Bloquer",
    "link.ask": (
        "{name} sur {platform} ({account}) veut ne faire qu’un avec toi ici : une discussion, une mémoire, avec le "
        "rôle {role}. Est-ce ton compte ?"
    ),
    "link.ask_other": (
        "{name} veut être une seule personne avec toi : une discussion, une mémoire, tous deux avec le rôle {role}."
    ),
    "link.asked_there": "J’ai demandé là où ce code a été créé. Réponds là-bas, puis nous continuons ici.",
    "link.asked_other": "Je demande aussi à l’autre côté, car je vous connais tous les deux.",
    "link.found": "Je connais ce code. Une question avant de joindre le compte :",
    "link.elsewhere": "Ce code est pour ton autre compte : envoie-le-moi de là-bas.",
    "choice.link.join": "Joindre",
    "choice.link.apart": "Joindre, mais discussions séparées",
    "choice.link.no": "Non",
    "join.begun": "Je joins ; ce sera fait dès que plus rien n’y sera en cours.",
    "join.refused": "Rien n’est joint.",
    "join.forgetting": "L’un des deux va bientôt être oublié. `/forget cancel` là-bas annule cela.",
    "join.gone": "Ce n’est plus possible.",
    "join.same": "Ce compte est déjà le tien.",
    "join.blocked": "Ce compte est bloqué.",
    "join.configured": "Ce compte est écrit dans ma configuration ; qui m’administre doit y joindre les entrées.",
    "join.other_way": (
        "Un compte d’owner ou d’admin ne peut pas être joint à une autre personne. Envoie /pair depuis lui, et ce "
        "code depuis l’autre."
    ),
    "join.config_role": (
        "Les deux sont connus, le rôle le plus bas resterait donc, mais le tien est écrit dans ma configuration. "
        "Retire d’abord l’autre compte à sa personne (`dragoman people unlink`), puis joins-le."
    ),
    "join.last_owner": (
        "Les deux sont connus, le rôle le plus bas resterait donc, et je n’appartiendrais à personne. Retire d’abord "
        "l’autre compte à sa personne (`dragoman people unlink`), puis joins-le."
    ),
    "join.done": (
        "{name} sur {platform} ({account}), c’est toi maintenant, avec le rôle {role}. Ce n’est pas toi ? Cela peut "
        "s’annuler pendant un jour."
    ),
    "join.undoing": "Je le retire, dès que rien n’est en cours.",
    "join.undone": "Retirés à nouveau : {accounts}. La discussion qui était commune est close.",
    "choice.joined.undo": "Annuler",
    "export.done": "Tout ce qui est conservé sur toi, en JSON. Garde-le comme on garde un journal intime.",
    "export.too_large": (
        "Cette conversation n’accepte pas un fichier de cette taille. `dragoman people export` sur ma machine le crée."
    ),
    "forget.how": (
        "`/forget MOTS` retire ce dont je me souviens et qui les contient. `/forget everything` fait disparaître "
        "tout ce qui est conservé sur toi, un jour plus tard."
    ),
    "forget.begun": (
        "Dans {hours} h je t’oublie : {stored}. D’ici là `/export` le remet et `/forget cancel` annule cela. Tu "
        "n’entendras rien quand ce sera fait."
    ),
    "forget.stays": "Cela reste ainsi : tout part quand le délai est passé.",
    "forget.kept": "Rien n’est oublié.",
    "forget.nothing": "Il n’y a rien à annuler : personne ne m’a demandé de t’oublier.",
    "forget.last_owner": "Tu es mon seul owner. Crées-en d’abord un autre : `dragoman pair new --role owner`.",
    "choice.forget.keep": "Tout garder",
    "summary.export": "tout ce qui est conservé sur toi, en fichier",
    "summary.forget": "retirer ce dont je me souviens avec certains mots, ou tout sur toi",
    "group.added": "{who} m’a ajouté au groupe {group}. Je m’y tais jusqu’à ce que tu en décides autrement.",
    "group.was_added": "On m’a ajouté au groupe {group}. Je m’y tais jusqu’à ce que tu en décides autrement.",
    "group.allowed": "Dans {group} je réponds à qui me mentionne, avec le rôle guest.",
    "group.leaving": "Je quitte {group}.",
    "group.stays": "Je n’ai pas pu quitter {group}, mais je m’y tais : {why}",
    "choice.group.allow": "Autoriser si l’on me mentionne",
    "choice.group.leave": "Quitter",
    "direct_only": "C’est pour la discussion directe avec moi.",
    "on_off": "Dis `/{word} on` ou `/{word} off`.",
    "timezone.is": "Ton fuseau horaire est {zone}. `/timezone Europe/Rome` le change.",
    "timezone.set": "Ton fuseau horaire est maintenant {zone}.",
    "timezone.unknown": "Je ne connais pas le fuseau {zone} ; ils s’appellent comme Europe/Rome ou America/New_York.",
    "home.set": "Ce que j’ai à dire sans qu’on me le demande vient ici désormais.",
    "quiet.is": "Ce qui est programmé est retenu de {hours} dans ton fuseau horaire. `/quiet off` y met fin.",
    "quiet.none": "Rien n’est retenu. `/quiet 22:00-07:00` fixe des heures calmes.",
    "quiet.unknown": "Les heures calmes s’écrivent ainsi : `/quiet 22:00-07:00`.",
    "plain.on": "Sobre désormais : les réponses viennent entières, sans accusés en emoji ni tableaux.",
    "plain.off": "Plus sobre.",
    "apart.on": "Cette conversation a désormais sa propre discussion.",
    "apart.off": "Cette conversation appartient de nouveau à ta discussion commune.",
    "apart.same": "C’est déjà ainsi.",
    "apart.own": "Les groupes et les sujets ont de toute façon leur propre discussion.",
    "unpair.which": "Quel compte ? Les tiens sont {accounts}. Dis `/unpair PLATEFORME`.",
    "unpair.last": "Tu n’aurais plus de compte. Qui m’administre peut effacer tout ce que je sais de toi.",
    "unpair.configured": "Ce compte est écrit dans ma configuration ; qui m’administre peut l’y retirer.",
    "unpair.done": "Retirés : {accounts}. Ils me sont maintenant étrangers.",
    "invite.role": "Tu peux inviter avec un rôle allant jusqu’à {most}.",
    "invite.code": (
        "`/pair {code}` envoyé à moi dans une discussion directe fait de qui l’envoie {role} ; une fois, dans les 24 "
        "heures."
    ),
    "summary.unpair": "retirer un de tes comptes",
    "summary.apart": "donner à cette conversation sa propre discussion : on ou off",
    "summary.timezone": "ton fuseau horaire",
    "summary.home": "faire venir ici ce que personne n’a demandé",
    "summary.quiet": "heures où ce qui est programmé est retenu",
    "summary.plain": "réponses sobres : on ou off",
    "summary.invite": "un code pour quelqu’un de nouveau ; rôle et nom peuvent suivre",
    "summary.people": "qui est admis",
    "owner.code": (
        "Je n’appartiens encore à personne. Envoie-moi `/pair {code}` depuis ton compte, ou ouvre le lien (valable "
        "une heure) :"
    ),
    "owner.came": "{name} est maintenant owner.",
    "memory.user": "**Sur toi** ({used} caractères sur {limit})",
    "memory.memory": "**Notes** ({used} caractères sur {limit})",
    "memory.how": (
        "`/forget MOTS` retire ce qui contient ces mots. Ce que je note est devant moi dès la prochaine discussion."
    ),
    "memory.nothing": "Je ne me souviens de rien sur toi au-delà de ce qui s’est dit dans nos discussions.",
    "forget.what": "Dis quels mots : `/forget MOTS` retire ce dont je me souviens et qui les contient.",
    "forget.no_words": "Rien de ce dont je me souviens ne contient « {what} ». `/memory` montre tout.",
    "forget.done": (
        "Oublié :\n\n{entries}\n\nUne discussion commencée avant le sait peut-être encore ; `/new` en commence une "
        "autre. Ce qui s’est dit dans les discussions y reste."
    ),
    "summary.memory": "ce dont je me souviens sur toi",
    "usage.line": "{turns} réponses, {input} jetons envoyés (dont {cached} en cache), {output} reçus{cost}",
    "usage.talk": "Cette discussion : {used}",
    "usage.today": "Aujourd’hui : {used}",
    "usage.month": "Ce mois : {used}",
    "usage.job": "Dont pour la tâche {job} : {used}",
    "usage.everybody": "Ce mois, par personne :",
    "usage.nothing": "Rien n’a encore été utilisé.",
    "usage.limit.messages": "Réponses aujourd’hui : {used} sur {limit}",
    "usage.limit.tokens": "Jetons aujourd’hui : {used} sur {limit}",
    "usage.limit.usd": "Coût ce mois : ${used} sur ${limit}",
    "budget.nearly.messages": "Tu as eu {used} des {limit} réponses que tu peux avoir aujourd’hui.",
    "budget.nearly.tokens": "Tu as utilisé {used} des {limit} jetons que tu peux utiliser aujourd’hui.",
    "budget.nearly.usd": "Tu as utilisé ${used} des ${limit} que tu peux utiliser ce mois.",
    "budget.reached.messages": "C’était la dernière de tes {limit} réponses pour aujourd’hui.",
    "budget.reached.tokens": "Tes {limit} jetons pour aujourd’hui sont épuisés.",
    "budget.reached.usd": "Tes ${limit} pour ce mois sont épuisés.",
    "budget.over.messages": "Tu as eu tes {limit} réponses pour aujourd’hui. À partir de minuit je réponds à nouveau.",
    "budget.over.tokens": "Tes {limit} jetons pour aujourd’hui sont épuisés. À partir de minuit je réponds à nouveau.",
    "budget.over.usd": (
        "Tes ${limit} pour ce mois sont épuisés. À partir du premier du mois prochain je réponds à nouveau."
    ),
    "summary.usage": "combien de jetons ont été utilisés, et tes limites",
    "away": "Je suis resté injoignable pendant {span}.",
    "away.came": "Arrivés entre-temps : {count} message(s) de toi, auxquels je réponds maintenant.",
    "away.late": "Sans réponse, car trop anciens : {count} message(s) de toi ; renvoie ce qui compte encore.",
    "away.resumed": "Ce que je te devais encore continue : {count} message(s).",
    "span.days": "{days} j {hours} h",
    "span.hours": "{hours} h {minutes} min",
    "undelivered": "Un message à {conversation} n’a pas pu être remis : {why}. Voir `dragoman outbox show {id}`.",
    "model.lasting": (
        "Le modèle {model} a laissé {turns} essais de suite sans réponse pendant {minutes} min : {why}. Des messages "
        "attendent ; `dragoman status` montre combien."
    ),
    "model.over": "Le modèle {model} répond à nouveau après {minutes} min.",
    "degraded": "{line} a des problèmes depuis {minutes} min : {why}. Je continue d’essayer.",
    "recovered": "{line} est de retour après {minutes} min de problèmes : {why}.",
    "room": "Je manque de place : {why}. `dragoman status` montre ce qui la prend.",
    "taken_over": (
        "J’ai été restauré depuis ma sauvegarde du {when}. {deliveries} messages de moi qui attendaient alors ont pu "
        "être envoyés depuis, et {messages} à mon adresse ont pu recevoir une réponse : de moi-même je ne répète ni "
        "les uns ni les autres. `dragoman outbox list` et `dragoman inbox list` les montrent."
    ),
    "resent": "(renvoyé à la main)",
}
