"""German, for what is due later."""

JOBS = {
    "summary.schedule": (
        "etwas später tun, einmal oder immer wieder: /schedule every weekday at 8:30: was gibt es Neues?"
    ),
    "summary.jobs": "was später fällig ist; pause, resume, run, remove oder why mit der Kennung",
    "jobs.nobody": "Aufträge kann ich nur für Leute anlegen, die ich kenne.",
    "jobs.usage": (
        "Schreib es als `/schedule WANN: WAS`, zum Beispiel `/schedule every weekday at 8:30: was steht auf meiner "
        "Liste?` oder `/schedule in 20 minutes: erinnere mich an den Tee`. Fünf Felder von cron gehen auch."
    ),
    "jobs.made": "Angelegt als {id}: {what}\nIch lese: {when}. Zone {zone}; geht an: {where}. Die nächsten:",
    "jobs.undo": "Rückgängig: `/jobs remove {id}`",
    "choice.job.undo": "Rückgängig",
    "jobs.zone_ask": (
        "In welcher Zeitzone bist du? Ich weiß es noch nicht, und eine Uhrzeit braucht eine. Wähle {zones} oder "
        "schreib `/timezone Europe/Rome`; dann lege ich den Auftrag an."
    ),
    "jobs.zone_about": "deine Zeitzone, für einen Auftrag",
    "jobs.move_about": "deine Aufträge nach {zone} verlegen",
    "jobs.move_ask": "{count} deiner Aufträge gehen nach deiner alten Zone ({names}). Nach {zone} verlegen?",
    "jobs.moved": "{count} nach {zone} verlegt: dieselben Uhrzeiten, dort.",
    "jobs.kept": "{count} bleiben in {zone}.",
    "choice.move.move": "Verlegen",
    "choice.move.keep": "Lassen",
    "jobs.in_quiet": "Das fällt in deine Ruhezeit ({hours}): es kommt {until}.",
    "jobs.no_home": "Du hast noch keine Unterhaltung als Zuhause: `/home` macht eine dazu.",
    "jobs.no_target": "Ich kenne keine Unterhaltung von dir namens {name}. Es gibt: {known}.",
    "jobs.targets_many": "Höchstens {most} Ziele.",
    "jobs.no_scheduling": (
        "Das ist der Lauf eines Auftrags; er darf keine Aufträge anlegen, weil sein Auftrag es nicht erlaubt."
    ),
    "jobs.runaway": "Läufe dürfen Aufträge nur {deepest} tief anlegen und jeder höchstens {most}.",
    "jobs.no_model": "Ein Modell {name} steht nicht in der Konfiguration. Es gibt: {known}.",
    "jobs.script_owners": "Nur Aufträge von ownern dürfen Skripte ausführen.",
    "jobs.no_script": "Das Skript {name} ist nicht zu verwenden: {why}.",
    "jobs.as_file": "Es ist länger als eine Nachricht: das Ganze steht in der Datei.",
    "jobs.failed": (
        "{name} ist gescheitert: {why}\nIch sage nichts mehr dazu, bis es wieder geht. `/jobs why {id}` sagt mehr, "
        "`/jobs run {id}` versucht es noch einmal."
    ),
    "jobs.well": "{name} geht wieder.",
    "jobs.undelivered": (
        "Die Ausgabe von {name} ließ sich nicht an {place} zustellen: {why}\n`/jobs why {id}` sagt mehr."
    ),
    "jobs.elsewhere": "(Das ließ sich nicht an {place} zustellen: {why})",
    "jobs.nowhere": "{name} hatte eine Ausgabe für einen Ort, den es nicht mehr gibt. `/jobs why {id}` sagt mehr.",
    "jobs.missed_about": "Versäumtes von {name} nachholen",
    "jobs.left": "{name} bleibt, wie es ist; es geht weiter wie geplant.",
    "choice.missed.run": "Jetzt ausführen",
    "choice.missed.skip": "Auslassen",
    "held.digest": "Während deiner Ruhezeit kamen {count} geplante Nachrichten:",
    "jobs.assumed.time": "Du hast keine Uhrzeit genannt; ich habe {taken} genommen.",
    "jobs.assumed.part": "Als Uhrzeit habe ich {taken} genommen.",
    "jobs.assumed.hour": "Die Stunde habe ich als {taken} gelesen; für den Nachmittag schreib pm oder 24 Stunden.",
    "jobs.assumed.tomorrow": "{taken} ist heute vorbei, also ist es das nächste.",
    "jobs.assumed.day": "Du hast keinen Tag des Monats genannt; ich habe den ersten genommen.",
    "jobs.too_many": "Du hast schon {most} Aufträge, mehr gehen nicht. `/jobs` zählt sie auf.",
    "jobs.none": "Nichts ist geplant. `/schedule every day at 9: …` legt einen Auftrag an.",
    "jobs.acts": "Mehr: `/jobs pause ID`, `resume`, `run`, `remove` oder `why`.",
    "jobs.unknown": "Du hast keinen Auftrag {name}. `/jobs` zählt sie auf.",
    "jobs.paused": "{name} ruht. `/jobs resume {id}` lässt ihn weiterlaufen.",
    "jobs.resumed": "{name} läuft weiter; das nächste Mal: {due}.",
    "jobs.over": "{name} läuft kein weiteres Mal.",
    "jobs.running": "{name} läuft jetzt.",
    "jobs.busy": "{name} läuft schon.",
    "jobs.removed": "{name} ist entfernt.",
    "jobs.why": "{name} ({id}) ist {state}. Die letzten Läufe:",
    "jobs.no_runs": "Er ist noch nicht gelaufen.",
    "jobs.state.active": "aktiv",
    "jobs.state.paused": "in Ruhe",
    "jobs.state.done": "fertig",
    "jobs.missed": "{name} war {when} fällig, als ich weg war ({count} versäumt). `/jobs run {id}` holt es nach.",
    "jobs.made_up": "{name} war {when} fällig, als ich weg war ({count} fällig); ich lasse ihn jetzt einmal laufen.",
    "jobs.paused_failing": (
        "{name} ist {count} Mal hintereinander gescheitert, zuletzt: {why}. Ich habe ihn ruhen lassen. `/jobs resume "
        "{id}` lässt ihn weiterlaufen."
    ),
    "weekday.mon": "Mo",
    "weekday.tue": "Di",
    "weekday.wed": "Mi",
    "weekday.thu": "Do",
    "weekday.fri": "Fr",
    "weekday.sat": "Sa",
    "weekday.sun": "So",
    "when.word": "„{word}“ verstehe ich nicht (bei Zeichen {place}).",
    "when.nearest": "Meintest du „{nearest}“?",
    "when.more": "Nach „{word}“ fehlt etwas.",
    "when.nothing": "Wann? Zum Beispiel: every weekday at 8:30.",
    "when.long": "Das ist zu lang für eine Zeitangabe; höchstens {most} Zeichen.",
    "when.past": "„{word}“ ist schon vorbei.",
    "when.never": "„{word}“ kommt nie vor.",
    "when.far": "„{word}“ ist zu weit weg.",
    "when.often": "Alle {word} ist zu oft; das Mindeste sind {least} s.",
    "when.date": "Diesen Tag gibt es nicht: {word}.",
    "when.either": "{word} lässt sich auf zwei Arten lesen; schreib den Monat als Wort oder 2026-12-24.",
    "when.time": "Diese Uhrzeit gibt es nicht: {word}.",
    "when.between": "Ab {word} passt nichts; schreib zum Beispiel: every 30 minutes from 9 to 17:00.",
    "when.nickname": "{word} kenne ich nicht; es gibt {known}.",
    "when.fields": "Cron hat fünf Felder: Minute, Stunde, Tag, Monat, Wochentag. Hier sind es {count}.",
    "when.field": "„{word}“ passt nicht in das Feld {field} von cron.",
}
