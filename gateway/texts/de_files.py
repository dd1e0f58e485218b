"""German, for pictures, voices and documents."""

FILES = {
    "too_large": (
        "{name} ist größer als {limit} MB, mehr kann ich hier nicht holen. Kannst du etwas Kleineres schicken?"
    ),
    "pictures.unseen": (
        "Mit dem Modell, das hier eingestellt ist, kann ich keine Bilder ansehen: Ich sehe nur Namen und Größe."
    ),
    "voice.heard": "🎤 „{words}“",
    "voice.unheard": (
        "Ich kann keine Sprachnachrichten anhören: Hier ist keine Transkription eingerichtet. Bitte schreib es mir."
    ),
    "voice.misheard": "Ich konnte {name} nicht verstehen. Bitte schreib es mir, oder schick es später noch einmal.",
    "summary.voice": "Antworten auch hören: on oder off",
    "voice.on": "Von jetzt an bekommst du meine Antworten in deinen direkten Gesprächen auch als Sprachnachricht.",
    "voice.off": "Von jetzt an nur noch geschriebene Antworten.",
    "voice.mute": (
        "Ich kann hier nicht sprechen: Es ist keine Stimme eingerichtet (`agent.speech`). Wer mich betreibt, kann "
        "das tun."
    ),
}
