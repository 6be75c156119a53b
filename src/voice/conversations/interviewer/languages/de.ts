// The interviewer in German.

import type { Sentences } from './sentences.ts'

export const de: Sentences = {
  locale: 'de',
  greeting: name => `Guten Tag, hier ist ${name}. Haben Sie einen Moment Zeit?`,
  question: title => `Darf ich danach fragen: ${title}?`,
  again: {
    boolean: 'Entschuldigung, ist das ein Ja oder ein Nein?',
    number: 'Entschuldigung, welche Zahl ist es?',
    date: 'Entschuldigung, welcher Tag ist das?',
    text: 'Entschuldigung, können Sie das wiederholen?',
    choice: options => `Entschuldigung, was davon ist es: ${options}?`,
  },
  readBack: values => `Ich wiederhole: ${values}. Stimmt das?`,
  whichIsWrong: titles => `Was soll ich ändern: ${titles}?`,
  yes: 'ja',
  no: 'nein',
  goodbye: {
    done: 'Vielen Dank, mehr wollte ich nicht wissen. Auf Wiederhören!',
    nothing: 'Vielen Dank für Ihre Zeit. Auf Wiederhören!',
    declined: 'Kein Problem. Vielen Dank für Ihre Zeit. Auf Wiederhören!',
    callback: 'Gern, wir melden uns ein anderes Mal. Auf Wiederhören!',
    doNotCall: 'Ich verstehe. Wir rufen Sie nicht mehr an. Auf Wiederhören.',
    wrongNumber: 'Entschuldigung, dann habe ich die falsche Nummer. Auf Wiederhören!',
    person: 'Ich bitte jemanden aus dem Team, Sie anzurufen. Auf Wiederhören!',
  },
  connecting: 'Einen Moment, ich verbinde Sie.',
  stillThere: 'Sind Sie noch da?',
  nobodyThere: 'Ich kann Sie nicht hören. Wir versuchen es ein anderes Mal. Auf Wiederhören!',
  trouble: 'Entschuldigung, ich habe ein technisches Problem. Wir rufen Sie wieder an. Auf Wiederhören!',
  oneMoment: 'Einen Moment, bitte.',
  hears: {
    yes: /(?<!\p{L})(?:ja|jawohl|genau|stimmt|richtig|korrekt|gern|gerne|natürlich|klar|sicher|in ordnung|okay|ok|bitte)(?!\p{L})/u,
    no: /(?<!\p{L})(?:nein|nee|nicht|kein|keine|keinen|nie|falsch)(?!\p{L})/u,
    unknown: /(?<!\p{L})(?:weiß (?:ich )?nicht|weiss (?:ich )?nicht|keine ahnung|keine angabe|überspringen)(?!\p{L})/u,
    doNotCall:
      /(?<!\p{L})(?:nicht (?:mehr|wieder|nochmal) an(?:zu)?rufen|nie (?:mehr|wieder) an(?:zu)?rufen|rufen sie (?:mich |uns )?(?:nicht|nie) (?:mehr|wieder)|keine anrufe mehr|von (?:der|ihrer) liste)(?!\p{L})/u,
    callback:
      /(?<!\p{L})(?:später|ein anderes mal|ein andermal|zurückrufen|rufen sie (?:mich |uns )?(?:später|morgen|wieder|zurück)|keine zeit|im gespräch|in einer besprechung|im auto)(?!\p{L})/u,
    wrongNumber: /(?<!\p{L})(?:falsche nummer|falsch verbunden|verwählt|gibt es hier nicht)(?!\p{L})/u,
    person:
      /(?<!\p{L})(?:mit (?:einem menschen|einer person|jemandem|einem mitarbeiter|einer mitarbeiterin) (?:sprechen|reden)|echten? (?:mensch|menschen|person))(?!\p{L})/u,
    goodbye: /(?<!\p{L})(?:auf wiederhören|auf wiedersehen|tschüss|tschüs|auflegen)(?!\p{L})/u,
  },
  backchannel: /^(?:mm-?hm+|mhm+|hm+|aha|ah|ach so|ok|okay|ja|genau|verstehe)[.!,]?$/,
  pressed: keys => `(Tasten: ${keys})`,
  beforeValue:
    /^(?:(?:also|ähm|ja),? )?(?:(?:mein|meine|unser|unsere|der|die|das) [\p{L} ]{2,30} (?:ist|lautet)|es ist|das ist|ich bin|wir sind|ich heiße)\s+/iu,
}
