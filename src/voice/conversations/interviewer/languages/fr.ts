// The interviewer in French.

import type { Sentences } from './sentences.ts'

export const fr: Sentences = {
  locale: 'fr',
  greeting: name => `Bonjour, ici ${name}. Avez-vous un instant ?`,
  question: title => `Puis-je vous demander ceci : ${title} ?`,
  again: {
    boolean: 'Pardon, est-ce oui ou non ?',
    number: 'Pardon, quel est le nombre ?',
    date: 'Pardon, de quel jour s’agit-il ?',
    text: 'Pardon, pouvez-vous répéter ?',
    choice: options => `Pardon, laquelle de ces réponses : ${options} ?`,
  },
  readBack: values => `Je relis : ${values}. Est-ce exact ?`,
  whichIsWrong: titles => `Que dois-je corriger : ${titles} ?`,
  yes: 'oui',
  no: 'non',
  goodbye: {
    done: 'Merci, c’est tout ce que je voulais savoir. Au revoir !',
    nothing: 'Merci de votre temps. Au revoir !',
    declined: 'Aucun problème. Merci de votre temps. Au revoir !',
    callback: 'Bien sûr, nous rappellerons à un autre moment. Au revoir !',
    doNotCall: 'Je comprends. Nous ne vous rappellerons plus. Au revoir.',
    wrongNumber: 'Pardon, je me suis trompé de numéro. Au revoir !',
    person: 'Je demande à un collègue de vous appeler. Au revoir !',
  },
  connecting: 'Un instant, je vous mets en relation.',
  stillThere: 'Êtes-vous toujours là ?',
  nobodyThere: 'Je ne vous entends pas. Nous réessaierons une autre fois. Au revoir !',
  trouble: 'Pardon, j’ai un problème technique. Nous vous rappellerons. Au revoir !',
  oneMoment: 'Un instant, s’il vous plaît.',
  hears: {
    yes: /(?<!\p{L})(?:oui|ouais|exact|exactement|correct|bien sûr|d['’]accord|volontiers|tout à fait|absolument|ok|okay)(?!\p{L})/u,
    no: /(?<!\p{L})(?:non|pas|jamais|faux|incorrect|aucun|aucune)(?!\p{L})/u,
    unknown: /(?<!\p{L})(?:sais pas|aucune idée|passer|ne préfère pas)(?!\p{L})/u,
    doNotCall: /(?<!\p{L})(?:ne (?:m['’]|nous )?(?:appelez|rappelez) plus|arrêtez de (?:m['’]|nous )?appeler|retirez-moi)(?!\p{L})/u,
    callback: /(?<!\p{L})(?:rappelez(?:-moi)?|plus tard|une autre fois|pas le (?:bon )?moment|en réunion)(?!\p{L})/u,
    wrongNumber: /(?<!\p{L})(?:mauvais numéro|faux numéro|erreur de numéro|personne de ce nom)(?!\p{L})/u,
    person: /(?<!\p{L})(?:parler (?:à|avec) (?:une personne|quelqu['’]un|un humain|un collègue)|vraie personne)(?!\p{L})/u,
    goodbye: /(?<!\p{L})(?:au revoir|raccrocher)(?!\p{L})/u,
  },
  backchannel: /^(?:mm-?hm+|mhm+|hm+|ah|ah bon|oui|ok|okay|d['’]accord|je vois)[.!,]?$/,
  pressed: keys => `(touches : ${keys})`,
  beforeValue: /^(?:(?:alors|euh|oui),? )?(?:(?:mon|ma|notre|le|la) [\p{L} ]{2,30} est|c['’]est|je suis|nous sommes|je m['’]appelle)\s+/iu,
}
