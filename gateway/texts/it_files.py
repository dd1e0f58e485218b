"""Italian, for pictures, voices and documents."""

FILES = {
    "too_large": "{name} supera {limit} MB, il massimo che posso scaricare qui. Puoi mandare qualcosa di più piccolo?",
    "pictures.unseen": "Con il modello impostato qui non posso guardare le immagini: ne vedo solo nome e dimensione.",
    "voice.heard": "🎤 «{words}»",
    "voice.unheard": (
        "Non posso ascoltare i messaggi vocali: qui non è impostata alcuna trascrizione. Scrivimelo, per favore."
    ),
    "voice.misheard": "Non sono riuscito a capire {name}. Scrivimelo, per favore, o mandalo di nuovo più tardi.",
    "summary.voice": "ascoltare anche le risposte: on o off",
    "voice.on": "D’ora in poi, nelle tue conversazioni dirette ricevi le mie risposte anche come messaggi vocali.",
    "voice.off": "D’ora in poi solo risposte scritte.",
    "voice.mute": "Qui non posso parlare: non è impostata alcuna voce (`agent.speech`). Può farlo chi mi gestisce.",
}
