"""Italian."""

from gateway.texts.it_answering import ANSWERING
from gateway.texts.it_files import FILES
from gateway.texts.it_jobs import JOBS

SENTENCES = {
    **FILES,
    **ANSWERING,
    **JOBS,
    "apology": (
        "Scusa, non sono riuscito a rispondere: è fallito tre volte. Chiedilo di nuovo, magari con altre parole."
    ),
    "refused": "Scusa, il modello rifiuta questa richiesta così com’è. Chiedilo di nuovo con altre parole.",
    "empty": "(Il modello non ha risposto nulla.)",
    "model.refused_key": (
        "Il mio fornitore del modello rifiuta la mia chiave, quindi ora non posso rispondere. Chi mi gestisce può "
        "vederne il motivo nel registro. Il tuo messaggio è al sicuro; risponderò quando funzionerà di nuovo."
    ),
    "model.unknown_model": (
        "Il mio fornitore del modello non conosce il modello {model}, quindi ora non posso rispondere. Chi mi "
        "gestisce può rimediare. Il tuo messaggio è al sicuro; risponderò quando funzionerà di nuovo."
    ),
    "model.rate_limit": (
        "Il modello {model} per ora non accetta altre richieste{when}. Il tuo messaggio è al sicuro; risponderò "
        "quando le accetterà."
    ),
    "model.outage": (
        "Per ora non raggiungo il modello {model}. Il tuo messaggio è al sicuro; risponderò quando sarà tornato."
    ),
    "model.timeout": (
        "Il modello {model} per ora non risponde. Il tuo messaggio è al sicuro; risponderò quando lo farà."
    ),
    "model.when": " e chiede di riprovare tra {seconds} s",
    "model.gone": (
        "Il modello è rimasto irraggiungibile per un giorno, quindi ho rinunciato. Chiedilo di nuovo più tardi."
    ),
    "working": "ci sta lavorando…",
    "sealed": "Non posso leggere la tua mail: è cifrata, e non ho la chiave. Mandala di nuovo senza cifratura.",
    "forged": (
        "Mi è arrivata una mail che dice di essere di {sender}, e l’ho scartata: {why}. Se era tua, il tuo fornitore "
        "di posta o la mia casella vanno configurati meglio; se no, qualcuno ha voluto parlare a tuo nome."
    ),
    "fresh.idle": "(Si ricomincia: qui non si è detto nulla per {hours:g} h.)",
    "fresh.daily": "(Si ricomincia: alle {at} è iniziato un nuovo giorno.)",
    "fresh.back": "`/resume` torna a «{title}».",
    "choice.resume": "Riprendi",
    "keep.warning": "(La conversazione «{title}» finisce tra {minutes} min se non si dice nulla.)",
    "keep.about": "tenere la conversazione «{title}»",
    "choice.keep.keep": "Tienila",
    "choice.keep.end": "Lasciala finire",
    "keep.kept": "«{title}» continua.",
    "keep.ends": "Finirà da sola.",
    "keep.over": "Quella conversazione è già finita; `/resume` ci torna.",
    "continues": "continua da {platform}, {ago} fa",
    "untitled": "senza titolo",
    "new": "Si ricomincia. Quello che abbiamo detto finora è chiuso.",
    "nothing_to_close": "Niente da chiudere: è già un nuovo inizio.",
    "sessions.now": "Ora: {title}",
    "sessions.line": "{n}: {title}, {ago} fa",
    "sessions.none": "Qui non c’è ancora nessuna conversazione precedente.",
    "sessions.not_found": "Qui nulla si chiamava così e nulla del genere è stato detto: «{words}».",
    "sessions.how": "`/resume N` torna a una, `/sessions PAROLE` cerca.",
    "sessions.more": "Altre {count}; `/sessions PAROLE` le trova.",
    "resumed": "Di nuovo in «{title}»; so che cosa ci siamo detti lì.",
    "resume.here": "Siamo già in «{title}».",
    "resume.nothing": "Non c’è nessuna conversazione precedente a cui tornare.",
    "resume.unknown": "Non trovo nessuna conversazione precedente chiamata «{title}». `/sessions` le elenca.",
    "resume.many": "Corrisponde a più di una:",
    "title.set": "Questa conversazione ora si chiama «{title}».",
    "title.is": "Questa conversazione si chiama «{title}». `/title TESTO` lo cambia.",
    "title.nothing": "Non c’è ancora una conversazione a cui dare un nome; scrivi prima qualcosa.",
    "unknown_command": "Non conosco /{word}. Intendevi /{nearest}? /help elenca che cosa so fare.",
    "unknown_command.bare": "Non conosco /{word}. /help elenca che cosa so fare.",
    "not_allowed": "/{word} richiede il ruolo {role}; qui sei {mine}.",
    "help": (
        "Sono {name}. Scrivimi come scriveresti a una persona. Queste parole fanno qualcosa di speciale:\n\n{commands}"
    ),
    "whoami": "Per me sei **{name}**, con il ruolo {role}.\n\nAccount: {accounts}\nFuso orario: {timezone}",
    "whoami.group": "In questo gruppo parli con il ruolo {role}.",
    "stopped": "Fermato.",
    "stopped.placeholder": "(fermato)",
    "stopped.parts": "Fermato; il resto della risposta è ritirato.",
    "stopped.queued": "Fermato. Ritirati anche: {count} messaggi in attesa.",
    "nothing_to_stop": "Non c’è nulla in corso.",
    "status": "{platforms}\n\nModello: {models}.\n\nIn attesa: {waiting}. In corso: {running}.{incidents}",
    "status.incident": "\nProblema: {subject} da {minutes} min.",
    "status.group": "Ci sono. I dettagli sono per la conversazione diretta.",
    "receipt.steer": "Preso nota. Ne tengo conto al prossimo passo.",
    "receipt.followup": "Preso nota. Rispondo dopo questo; prima attendono: {count}.",
    "receipt.collect": "Preso nota. Rispondo insieme a ciò che scrivi finché non ho finito.",
    "receipt.full": (
        "Non ho potuto tenerlo: {most} messaggi di questa conversazione attendono già. Mandalo di nuovo più tardi."
    ),
    "edit.offer": "Hai cambiato un messaggio a cui ho già risposto. Rispondo di nuovo a com’è ora (`/retry {turn}`)?",
    "edit.again": "Rispondi di nuovo",
    "queue.is": "Mentre lavoro a una risposta: **{mode}**, {means}. Scegli con `/queue MODO`: {modes}.",
    "queue.now": "Da ora, mentre lavoro a una risposta: **{mode}**, {means}.",
    "queue.unknown": "Non c’è nessun modo {word}. Ci sono: {modes}.",
    "queue.group": (
        "In un gruppo ogni messaggio attende il suo turno, perché nessuno deve guidare la risposta di un altro."
    ),
    "queue.steer": "ciò che scrivi vi si unisce al mio prossimo passo",
    "queue.followup": "ciò che scrivi attende, e ogni messaggio ha la sua risposta",
    "queue.collect": "ciò che scrivi attende, poi ha una risposta sola",
    "queue.interrupt": "ciò che scrivi la ferma, e ricomincio con tutto ciò che hai detto",
    "retry.nothing": "Qui non c’è nulla a cui possa rispondere di nuovo.",
    "undone": "Dimenticati: {count} scambi. Restano per 7 giorni; fino ad allora `/undo back` li riporta.",
    "undo.back": "Riporta",
    "undo.is_back": "Di nuovo qui: {count} scambi.",
    "undo.nothing": "Qui non c’è nulla da dimenticare o da riportare.",
    "summary.retry": "rispondere di nuovo all’ultimo messaggio",
    "summary.undo": "dimenticare gli ultimi scambi; può seguire un numero",
    "summary.queue": "che cosa accade a ciò che scrivi mentre lavoro",
    "approval.ask": (
        "Posso usare **{tool}** con questo?{why}\n\n{call}\n\nRispondi con un pulsante, o con `/approve {id}` o `/deny "
        "{id}`, fino a {until}. Nessuna risposta è un no."
    ),
    "approval.why.outside": (
        "\n\nIn questa conversazione ci sono parole di altri ({outside}), e forse sono loro a volerlo. Se"
        " non lo vuoi *tu*,"
        " di’ di no."
    ),
    "approval.why.address": (
        "\n\nNessuno mi ha dato questo indirizzo: non l’hai scritto tu, nessuna ricerca l’ha trovato e"
        " nessuna pagina vi"
        " rimanda. Un indirizzo può portare via ciò che so."
    ),
    "message.asked": "{name} mi ha chiesto di dirti:",
    "approval.long": "… e altri {count} caratteri: il file allegato contiene tutto.",
    "approval.waits": "Attendo la tua parola su **{tool}**: `/approve {id}` o `/deny {id}`.",
    "choice.call.once": "Una volta",
    "choice.call.session": "In questa conversazione",
    "choice.call.always": "Sempre",
    "choice.call.no": "No",
    "approval.not_allowed": "Decidere su {tool} richiede almeno il ruolo {role}.",
    "approval.elsewhere": (
        "Una mail non può permetterlo (`email.approvals` è spento). Di’ `/approve {id}` su un’altra piattaforma; "
        "`/deny {id}` va bene anche per mail."
    ),
    "approval.decided.once": "Permesso: {tool}, solo questa volta.",
    "approval.decided.session": "Permesso: {tool}, fino alla fine di questa conversazione.",
    "approval.decided.always": "Permesso: {tool}, da ora in poi. `/deny always` lo ritira.",
    "approval.asked_again": "Da ora chiedo di nuovo: {tools}.",
    "approval.nothing_allowed": "Nulla è permesso più a lungo: chiedo ogni volta.",
    "approval.decided.no": "Non permesso: {tool}.",
    "summary.help": "che cosa so fare",
    "summary.start": "che cosa so fare",
    "summary.whoami": "chi sei per me",
    "summary.sessions": "le nostre conversazioni qui; le parole vi cercano",
    "summary.resume": "tornare a una conversazione precedente, per numero o titolo",
    "summary.title": "dare un nome a questa conversazione",
    "summary.new": "chiudere questa conversazione e ricominciare; può seguire un titolo",
    "summary.stop": "fermare la risposta in corso e ciò che hai messo in coda",
    "summary.status": "come sto",
    "platforms.line": "- {name}: {state}, sentito l’ultima volta {age} fa, {waiting} da inviare",
    "platforms.how": "`/platforms pause NAME` ne ferma uno, `/platforms resume NAME` lo fa andare avanti.",
    "platforms.unknown": "Qui non c’è nessun account {name}. Ci sono: {names}.",
    "platforms.paused": (
        "{name} ora è fermo: lì nulla entra né esce, anche dopo un riavvio. Ciò che le persone scrivono attende "
        "sulla piattaforma finché questa lo conserva. `/platforms resume {name}` lo fa andare avanti."
    ),
    "platforms.paused_here": (
        "{name} ora è fermo, e qui non ti sento più. `/platforms resume {name}` lo fa andare avanti, da un’altra "
        "piattaforma o con `dragoman chat` sulla mia macchina. Ciò che scrivi qui attende finché la piattaforma lo "
        "conserva."
    ),
    "platforms.paused_already": "{name} è già fermo.",
    "platforms.resumed": "{name} va avanti e si rimette in pari.",
    "platforms.runs": "{name} non è fermo; `/platforms` dice come sta.",
    "summary.platforms": "come stanno le mie connessioni; fermarne o riprenderne una",
    "restart": "Finisco ciò che è in corso e riparto. Intanto i tuoi messaggi attendono.",
    "summary.restart": "finire ciò che è in corso e ripartire",
    "summary.pair": "unire un altro tuo account con un codice",
    "offer.none": "Nulla di nome {id} attende risposta.",
    "offer.nothing": "Nulla attende la tua risposta.",
    "offer.list": "Questo attende la tua risposta; `/approve ID` o `/deny ID` la dà:\n\n{offers}",
    "offer.not_yours": "Non tocca a te rispondere a {id}.",
    "offer.decided": "{id} ha già avuto risposta: {word}, da {name}.",
    "offer.expired": "{id} è scaduto; non è stato fatto nulla.",
    "offer.words": "A {id} si può rispondere: {words}.",
    "summary.approve": "dire sì a ciò che attende la tua risposta",
    "summary.deny": "dire no a ciò che attende la tua risposta",
    "pair.welcome": "Ti do il benvenuto, {name}. Ora sei {role}. /help elenca che cosa so fare.",
    "pair.configured": "Il tuo ruolo è scritto nella mia configurazione e si cambia solo lì: sei {role}.",
    "pair.raised": "Fatto: ora sei {role}.",
    "pair.known": "Qui sei già {role}; il codice è ancora inutilizzato.",
    "pair.wrong": "Quel codice non è (più) valido.",
    "pair.locked": "Troppi codici sbagliati. Riprova tra un’ora.",
    "pair.no_owner": (
        "Non appartengo ancora a nessuno. Se mi gestisci, crea un codice sulla mia macchina con `dragoman pair new "
        "--role owner` e mandalo qui come `/pair CODE`."
    ),
    "pair.in_group": "I codici valgono solo in una conversazione diretta. Questo ora è nullo; chiedine uno nuovo.",
    "pair.crowd": "Troppi codici sbagliati sono arrivati da account che qui non conosco. Riprova tra un’ora.",
    "pair.direct": "I codici sono per le conversazioni dirette. Mandami /pair lì.",
    "pair.code": (
        "Mandami `/pair {code}` dal tuo altro account entro dieci minuti. Ti chiederò qui prima di unirlo. Non "
        "mostrarlo a nessuno: chi lo manda chiede di essere te."
    ),
    "request.told": (
        "Non ti conosco ancora. Parli con me altrove? Manda lì `/pair {code}`. Altrimenti è stato chiesto al "
        "proprietario."
    ),
    "request.ask": (
        "{name} ({account}) mi scrive e non lo conosco. Chi è? (Va bene anche `/approve {id}` o `/deny {id}`.)"
    ),
    "request.me": "Allora manda qui `/pair CODE`, con il codice che ti ho mostrato lì.",
    "request.known": "{name} intanto è stato ammesso, come {role}.",
    "request.denied": "{name} non è ammesso e per un giorno non sentirà più nulla.",
    "request.blocked": "{name} è bloccato.",
    "request.admitted": "{name} è ammesso come {role}.",
    "choice.stranger.me": "Sono io",
    "choice.stranger.user": "Ammetti come user",
    "choice.stranger.guest": "Come guest",
    "choice.stranger.deny": "Rifiuta",
    "choice.stranger.block": "Blocca",
    "link.ask": (
        "{name} su {platform} ({account}) vuole essere una cosa sola con te qui: una conversazione, una memoria, con "
        "il ruolo {role}. È il tuo account?"
    ),
    "link.ask_other": (
        "{name} vuole essere una sola persona con te: una conversazione, una memoria, entrambi con il ruolo {role}."
    ),
    "link.asked_there": "Ho chiesto dove quel codice è stato creato. Rispondi lì, poi andiamo avanti qui.",
    "link.asked_other": "Chiedo anche all’altra parte, perché vi conosco entrambi.",
    "link.found": "Conosco quel codice. Una domanda prima di unire l’account:",
    "link.elsewhere": "Quel codice è per il tuo altro account: mandamelo da lì.",
    "choice.link.join": "Unisci",
    "choice.link.apart": "Unisci, ma conversazioni separate",
    "choice.link.no": "No",
    "join.begun": "Sto unendo; sarà fatto appena lì non c’è più nulla in corso.",
    "join.refused": "Nulla viene unito.",
    "join.forgetting": "Uno dei due sta per essere dimenticato. `/forget cancel` lì lo annulla.",
    "join.gone": "Non è più possibile.",
    "join.same": "Quell’account è già tuo.",
    "join.blocked": "Quell’account è bloccato.",
    "join.configured": "Quell’account è scritto nella mia configurazione; chi mi gestisce deve unire lì le voci.",
    "join.other_way": (
        "Un account di owner o admin non può essere unito a un’altra persona. Manda /pair da quello, e quel codice "
        "dall’altro."
    ),
    "join.config_role": (
        "Entrambi sono noti, quindi resterebbe il ruolo più basso, ma il tuo è scritto nella mia configurazione. "
        "Togli prima l’altro account alla sua persona (`dragoman people unlink`), poi uniscilo."
    ),
    "join.last_owner": (
        "Entrambi sono noti, quindi resterebbe il ruolo più basso, e non apparterrei a nessuno. Togli prima l’altro "
        "account alla sua persona (`dragoman people unlink`), poi uniscilo."
    ),
    "join.done": (
        "{name} su {platform} ({account}) ora sei tu, con il ruolo {role}. Non sei tu? Si può annullare per un giorno."
    ),
    "join.undoing": "Lo tolgo di nuovo, appena non c’è nulla in corso.",
    "join.undone": "Tolti di nuovo: {accounts}. La conversazione che era comune è chiusa.",
    "choice.joined.undo": "Annulla",
    "export.done": "Tutto ciò che è conservato su di te, come JSON. Tienilo come si tiene un diario.",
    "export.too_large": (
        "Questa conversazione non accetta un file così grande. `dragoman people export` sulla mia macchina lo crea."
    ),
    "forget.how": (
        "`/forget PAROLE` toglie ciò che ricordo e che le contiene. `/forget everything` fa sparire tutto ciò che è "
        "conservato su di te, un giorno dopo."
    ),
    "forget.begun": (
        "Tra {hours} h ti dimentico: {stored}. Fino ad allora `/export` lo consegna e `/forget cancel` lo annulla. "
        "Quando sarà fatto non sentirai nulla."
    ),
    "forget.stays": "Resta com’è: tutto va via quando il tempo è scaduto.",
    "forget.kept": "Nulla viene dimenticato.",
    "forget.nothing": "Non c’è nulla da annullare: nessuno mi ha chiesto di dimenticarti.",
    "forget.last_owner": "Sei il mio unico owner. Creane prima un altro: `dragoman pair new --role owner`.",
    "choice.forget.keep": "Tieni tutto",
    "summary.export": "tutto ciò che è conservato su di te, come file",
    "summary.forget": "togliere ciò che ricordo con certe parole, o tutto su di te",
    "group.added": "{who} mi ha aggiunto al gruppo {group}. Lì taccio finché non dici altrimenti.",
    "group.was_added": "Mi hanno aggiunto al gruppo {group}. Lì taccio finché non dici altrimenti.",
    "group.allowed": "In {group} rispondo a chi mi menziona, con il ruolo guest.",
    "group.leaving": "Lascio {group}.",
    "group.stays": "Non ho potuto lasciare {group}, ma lì taccio: {why}",
    "choice.group.allow": "Consenti se menzionato",
    "choice.group.leave": "Esci",
    "direct_only": "È per la conversazione diretta con me.",
    "on_off": "Di’ `/{word} on` o `/{word} off`.",
    "timezone.is": "Il tuo fuso orario è {zone}. `/timezone Europe/Rome` lo cambia.",
    "timezone.set": "Il tuo fuso orario ora è {zone}.",
    "timezone.unknown": "Non conosco il fuso orario {zone}; si chiamano come Europe/Rome o America/New_York.",
    "home.set": "Ciò che ho da dire senza che mi si chieda da ora arriva qui.",
    "quiet.is": "Ciò che è programmato è trattenuto {hours} nel tuo fuso orario. `/quiet off` lo termina.",
    "quiet.none": "Nulla è trattenuto. `/quiet 22:00-07:00` imposta ore di silenzio.",
    "quiet.unknown": "Le ore di silenzio si scrivono come `/quiet 22:00-07:00`.",
    "plain.on": "Semplice da ora: le risposte arrivano intere, senza ricevute emoji né tabelle.",
    "plain.off": "Non più semplice.",
    "apart.on": "Questa chat da ora ha una conversazione sua.",
    "apart.off": "Questa chat appartiene di nuovo alla tua conversazione comune.",
    "apart.same": "È già così.",
    "apart.own": "Gruppi e argomenti hanno comunque una conversazione loro.",
    "unpair.which": "Quale account? I tuoi sono {accounts}. Di’ `/unpair PIATTAFORMA`.",
    "unpair.last": "Resteresti senza account. Chi mi gestisce può cancellare tutto ciò che so di te.",
    "unpair.configured": "Quell’account è scritto nella mia configurazione; chi mi gestisce può toglierlo lì.",
    "unpair.done": "Tolti: {accounts}. Ora mi sono estranei.",
    "invite.role": "Puoi invitare con un ruolo fino a {most}.",
    "invite.code": (
        "`/pair {code}` mandato a me in una conversazione diretta rende {role} chi lo manda; una volta, entro 24 ore."
    ),
    "summary.unpair": "togliere uno dei tuoi account",
    "summary.apart": "dare a questa chat una conversazione sua: on o off",
    "summary.timezone": "il tuo fuso orario",
    "summary.home": "far arrivare qui ciò che nessuno ha chiesto",
    "summary.quiet": "ore in cui ciò che è programmato è trattenuto",
    "summary.plain": "risposte semplici: on o off",
    "summary.invite": "un codice per qualcuno di nuovo; possono seguire ruolo e nome",
    "summary.people": "chi è ammesso",
    "owner.code": (
        "Non appartengo ancora a nessuno. Mandami `/pair {code}` dal tuo account, o apri il link (vale un’ora):"
    ),
    "owner.came": "{name} ora è owner.",
    "memory.user": "**Su di te** ({used} di {limit} caratteri)",
    "memory.memory": "**Note** ({used} di {limit} caratteri)",
    "memory.how": (
        "`/forget PAROLE` toglie ciò che contiene queste parole. Ciò che annoto sta davanti a me dalla prossima "
        "conversazione."
    ),
    "memory.nothing": "Di te non ricordo nulla oltre a ciò che si è detto nelle nostre conversazioni.",
    "forget.what": "Di’ quali parole: `/forget PAROLE` toglie ciò che ricordo e che le contiene.",
    "forget.no_words": "Nulla di ciò che ricordo contiene «{what}». `/memory` mostra tutto.",
    "forget.done": (
        "Dimenticato:\n\n{entries}\n\nUna conversazione iniziata prima forse lo sa ancora; `/new` ne inizia "
        "un’altra. Ciò che si è detto nelle conversazioni resta lì."
    ),
    "summary.memory": "che cosa ricordo di te",
    "usage.line": "{turns} risposte, {input} token inviati (di cui {cached} in cache), {output} ricevuti{cost}",
    "usage.talk": "Questa conversazione: {used}",
    "usage.today": "Oggi: {used}",
    "usage.month": "Questo mese: {used}",
    "usage.job": "Di cui per l’attività {job}: {used}",
    "usage.everybody": "Questo mese, per persona:",
    "usage.nothing": "Non è ancora stato usato nulla.",
    "usage.limit.messages": "Risposte oggi: {used} di {limit}",
    "usage.limit.tokens": "Token oggi: {used} di {limit}",
    "usage.limit.usd": "Costo questo mese: ${used} di ${limit}",
    "budget.nearly.messages": "Hai avuto {used} delle {limit} risposte che puoi avere oggi.",
    "budget.nearly.tokens": "Hai usato {used} dei {limit} token che puoi usare oggi.",
    "budget.nearly.usd": "Hai usato ${used} dei ${limit} che puoi usare questo mese.",
    "budget.reached.messages": "Era l’ultima delle tue {limit} risposte per oggi.",
    "budget.reached.tokens": "I tuoi {limit} token per oggi sono finiti.",
    "budget.reached.usd": "I tuoi ${limit} per questo mese sono finiti.",
    "budget.over.messages": "Hai avuto le tue {limit} risposte per oggi. Da mezzanotte rispondo di nuovo.",
    "budget.over.tokens": "I tuoi {limit} token per oggi sono finiti. Da mezzanotte rispondo di nuovo.",
    "budget.over.usd": "I tuoi ${limit} per questo mese sono finiti. Dal primo del mese prossimo rispondo di nuovo.",
    "summary.usage": "quanti token sono stati usati, e i tuoi limiti",
    "away": "Sono rimasto irraggiungibile per {span}.",
    "away.came": "Arrivati nel frattempo: {count} messaggi tuoi, a cui rispondo ora.",
    "away.late": "Senza risposta, perché troppo vecchi: {count} messaggi tuoi; manda di nuovo ciò che conta ancora.",
    "away.resumed": "Ciò che ti dovevo ancora continua: {count} messaggi.",
    "span.days": "{days} g {hours} h",
    "span.hours": "{hours} h {minutes} min",
    "undelivered": "Un messaggio a {conversation} non si è potuto consegnare: {why}. Vedi `dragoman outbox show {id}`.",
    "model.lasting": (
        "Il modello {model} ha lasciato {turns} tentativi di fila senza risposta per {minutes} min: {why}. Ci sono "
        "messaggi in attesa; `dragoman status` mostra quanti."
    ),
    "model.over": "Il modello {model} risponde di nuovo dopo {minutes} min.",
    "degraded": "{line} ha problemi da {minutes} min: {why}. Continuo a provare.",
    "recovered": "{line} è tornato dopo {minutes} min di problemi: {why}.",
    "room": "Sto finendo lo spazio: {why}. `dragoman status` mostra che cosa lo occupa.",
    "taken_over": (
        "Sono stato ripristinato dalla mia copia del {when}. {deliveries} messaggi miei che allora attendevano "
        "possono essere stati inviati da allora, e {messages} rivolti a me possono aver avuto risposta: da solo non "
        "ripeto né gli uni né gli altri. `dragoman outbox list` e `dragoman inbox list` li mostrano."
    ),
    "resent": "(inviato di nuovo a mano)",
}
