"""Italian, for what is due later."""

JOBS = {
    "summary.schedule": "fare qualcosa più tardi, una volta o più: /schedule every weekday at 8:30: che c’è di nuovo?",
    "summary.jobs": "che cosa tocca più tardi; pause, resume, run, remove o why, con il suo id",
    "jobs.nobody": "Posso creare attività solo per persone che conosco.",
    "jobs.usage": (
        "Scrivilo come `/schedule QUANDO: CHE COSA`, per esempio `/schedule every weekday at 8:30: che c’è nella mia "
        "lista?` o `/schedule in 20 minutes: ricordami il tè`. Vanno bene anche i cinque campi di cron."
    ),
    "jobs.made": "Programmato come {id}: {what}\nLeggo: {when}. Fuso {zone}; va a: {where}. Prossime:",
    "jobs.undo": "Annulla: `/jobs remove {id}`",
    "choice.job.undo": "Annulla",
    "jobs.zone_ask": (
        "In quale fuso orario sei? Non lo so ancora, e un orario ne ha bisogno. Scegli {zones}, o scrivi `/timezone "
        "Europe/Rome`; poi creo l’attività."
    ),
    "jobs.zone_about": "il tuo fuso orario, per un’attività",
    "jobs.move_about": "spostare le tue attività a {zone}",
    "jobs.move_ask": "{count} delle tue attività seguono il tuo fuso di prima ({names}). Spostarle a {zone}?",
    "jobs.moved": "{count} spostate a {zone}: gli stessi orari, lì.",
    "jobs.kept": "{count} restano in {zone}.",
    "choice.move.move": "Sposta",
    "choice.move.keep": "Lascia",
    "jobs.in_quiet": "Cade nelle tue ore di silenzio ({hours}): arriva {until}.",
    "jobs.no_home": "Non hai ancora una chat principale: `/home` ne fa una.",
    "jobs.no_target": "Non conosco nessuna tua chat chiamata {name}. Ci sono: {known}.",
    "jobs.targets_many": "Al massimo {most} luoghi.",
    "jobs.no_scheduling": (
        "Questa è l’esecuzione di un’attività; non può creare attività, perché la sua non lo consente."
    ),
    "jobs.runaway": (
        "Le esecuzioni possono creare attività solo fino a {deepest} livelli, e ciascuna al massimo {most}."
    ),
    "jobs.no_model": "Non c’è nessun modello {name} nella configurazione. Ci sono: {known}.",
    "jobs.script_owners": "Solo le attività di un owner possono eseguire script.",
    "jobs.no_script": "Lo script {name} non si può usare: {why}.",
    "jobs.as_file": "È più lungo di un messaggio: il tutto è nel file.",
    "jobs.failed": (
        "{name} è fallita: {why}\nNon ne dico altro finché non funziona di nuovo. `/jobs why {id}` dice di più, "
        "`/jobs run {id}` riprova."
    ),
    "jobs.well": "{name} funziona di nuovo.",
    "jobs.undelivered": (
        "Il risultato di {name} non si è potuto consegnare a {place}: {why}\n`/jobs why {id}` dice di più."
    ),
    "jobs.elsewhere": "(Non si è potuto consegnare a {place}: {why})",
    "jobs.nowhere": "{name} aveva un risultato per un luogo che non c’è più. `/jobs why {id}` dice di più.",
    "jobs.missed_about": "recuperare {name}",
    "jobs.left": "{name} resta com’è; continua come previsto.",
    "choice.missed.run": "Esegui ora",
    "choice.missed.skip": "Salta",
    "held.digest": "Durante le tue ore di silenzio sono arrivati {count} messaggi programmati:",
    "jobs.assumed.time": "Non hai detto un’ora; ho preso {taken}.",
    "jobs.assumed.part": "Ho preso {taken} come ora.",
    "jobs.assumed.hour": "Ho letto l’ora come {taken}; per il pomeriggio scrivi pm, o le 24 ore.",
    "jobs.assumed.tomorrow": "{taken} per oggi è passato, quindi è il prossimo.",
    "jobs.assumed.day": "Non hai detto un giorno del mese; ho preso il primo.",
    "jobs.too_many": "Hai già {most} attività, che è il massimo. `/jobs` le elenca.",
    "jobs.none": "Non c’è nulla di programmato. `/schedule every day at 9: …` crea un’attività.",
    "jobs.acts": "Altro: `/jobs pause ID`, `resume`, `run`, `remove` o `why`.",
    "jobs.unknown": "Non hai nessuna attività {name}. `/jobs` le elenca.",
    "jobs.paused": "{name} è in pausa. `/jobs resume {id}` la fa andare avanti.",
    "jobs.resumed": "{name} va avanti; prossima volta: {due}.",
    "jobs.over": "A {name} non resta nessuna esecuzione.",
    "jobs.running": "{name} è in esecuzione ora.",
    "jobs.busy": "{name} è già in esecuzione.",
    "jobs.removed": "{name} è rimossa.",
    "jobs.why": "{name} ({id}) è {state}. Le sue ultime esecuzioni:",
    "jobs.no_runs": "Non è ancora stata eseguita.",
    "jobs.state.active": "attiva",
    "jobs.state.paused": "in pausa",
    "jobs.state.done": "finita",
    "jobs.missed": "{name} era prevista {when} mentre non c’ero ({count} perse). `/jobs run {id}` la recupera.",
    "jobs.made_up": "{name} era prevista {when} mentre non c’ero ({count} dovute); la eseguo una volta ora.",
    "jobs.paused_failing": (
        "{name} è fallita {count} volte di fila, l’ultima: {why}. L’ho messa in pausa. `/jobs resume {id}` la fa "
        "andare avanti."
    ),
    "weekday.mon": "lun",
    "weekday.tue": "mar",
    "weekday.wed": "mer",
    "weekday.thu": "gio",
    "weekday.fri": "ven",
    "weekday.sat": "sab",
    "weekday.sun": "dom",
    "when.word": "Non capisco «{word}» (al segno {place}).",
    "when.nearest": "Intendevi «{nearest}»?",
    "when.more": "Manca qualcosa dopo «{word}».",
    "when.nothing": "Quando? Per esempio: every weekday at 8:30.",
    "when.long": "È troppo lungo per un orario; al massimo {most} segni.",
    "when.past": "«{word}» è già passato.",
    "when.never": "«{word}» non accade mai.",
    "when.far": "«{word}» è troppo lontano.",
    "when.often": "Ogni {word} è troppo spesso; il minimo è {least} s.",
    "when.date": "Quel giorno non esiste: {word}.",
    "when.either": "{word} si può leggere in due modi; scrivi il mese a lettere, o 2026-12-24.",
    "when.time": "Quell’ora non esiste: {word}.",
    "when.between": "Da {word} in poi nulla va bene; scrivi per esempio: every 30 minutes from 9 to 17:00.",
    "when.nickname": "Non conosco {word}; ci sono {known}.",
    "when.fields": "Cron ha cinque campi: minuto, ora, giorno, mese, giorno della settimana. Qui sono {count}.",
    "when.field": "«{word}» non va bene nel campo {field} di cron.",
}
