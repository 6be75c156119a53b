// German words of the settings of pipelines.

import type { pipelineWords } from '../../en/settings/pipelines.ts'
import type { Translation } from '../../language.ts'

export const pipelines: Translation<typeof pipelineWords> = {
  title: 'Pipelines',
  sentence: 'Die Stufen, die Geschäfte durchlaufen. Admins und Inhaber ändern sie.',
  newPipeline: 'Neue Pipeline',
  newStage: 'Neue Stufe',
  newStageOf: pipeline => `Neue Stufe von ${pipeline}`,
  createPipeline: 'Pipeline anlegen',
  createStage: 'Stufe anlegen',
  name: 'Name',
  needed: 'Geben Sie einen Namen ein',
  nameOf: name => `Name von ${name}`,
  kind: 'Ihre Geschäfte sind',
  probability: 'Chance in Prozent',
  probabilityOf: stage => `Chance von ${stage} in Prozent`,
  stale: 'Liegt lange nach Tagen',
  staleOf: stage => `Tage, nach denen Geschäfte in ${stage} lange liegen`,
  never: 'Nie',
  chance: 'Chance',
  staleAfter: 'Liegt lange nach',
  up: stage => `${stage} nach oben`,
  down: stage => `${stage} nach unten`,
  delete: name => `${name} löschen`,
  deleteVerb: 'Löschen',
  moveTo: 'Ihre Geschäfte verschieben nach',
  moveHelp: 'Auch gelöschte Geschäfte werden verschoben. Leer lassen, wenn es keine gibt.',
  changed: name => `${name} geändert`,
  notChanged: name => `${name} wurde nicht geändert`,
  reasons: 'Gründe für verlorene Geschäfte',
  reasonsSentence: 'Wer ein Geschäft verliert, wählt einen davon. Ohne Gründe gilt jeder Text.',
  reasonsLabel: 'Gründe',
  reasonsHelp: 'Nach jedem die Eingabetaste',
  save: 'Gründe speichern',
  saved: 'Gründe gespeichert',
}
