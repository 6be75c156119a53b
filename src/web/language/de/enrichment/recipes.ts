// German names and descriptions of the sources that come with Rolocom.

import type { recipeWords } from '../../en/enrichment/recipes.ts'
import type { Translation } from '../../language.ts'

export const recipes: Translation<typeof recipeWords> = {
  'Contact, free sources': 'Kontakt, kostenlose Quellen',
  "Checks the e-mail address and the telephone number, and looks at Gravatar, the employer's site and earlier calls.":
    'Prüft E-Mail-Adresse und Telefonnummer, und sieht bei Gravatar, auf der Website der Firma und in früheren Anrufen nach.',
  'Company, own site': 'Firma, eigene Website',
  "Reads what the company's site says about it, by schema.org, OpenGraph and its links.": 'Liest, was die Website der Firma über sie sagt.',
  'Anything, free sources': 'Alles, kostenlose Quellen',
  'Uses whatever of e-mail address, telephone number and domain the options give.':
    'Benutzt E-Mail-Adresse, Telefonnummer und Website, soweit sie bekannt sind.',
  'Business e-mail address, with Hunter': 'Geschäftliche E-Mail-Adresse, mit Hunter',
  'Finds the address of somebody whose name and company are known.': 'Findet die Adresse einer Person, deren Name und Firma bekannt sind.',
  'Contact, with People Data Labs': 'Kontakt, mit People Data Labs',
  'Checks the e-mail address, then asks People Data Labs for whatever the contact has not got.':
    'Prüft die E-Mail-Adresse, und fragt dann People Data Labs nach allem, was dem Kontakt fehlt.',
}
