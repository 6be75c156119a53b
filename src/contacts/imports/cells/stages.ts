// The stages of other systems. Pure.

import { type LifecycleStage, lifecycleStages } from '../../contact/row.ts'
import { plainWord } from './characters.ts'

// Without spaces and signs, and without `lead` behind another word.
const words: Readonly<Record<LifecycleStage, string>> = {
  subscriber: 'newsletter abonnent',
  lead:
    'prospect prospective suspect new open cold warm hot opennotcontacted workingcontacted contacted attempted attemptedtocontact connected ' +
    'working notcontacted contactinfuture prequalified inprogress nurture nurturing interested inquiry badtiming interessent potentiel neu offen',
  qualified: 'mql sql sal marketingqualified salesqualified salesaccepted salesready qualifiziert',
  opportunity: 'opendeal deal proposal proposalsent negotiation pipeline closedconverted converted demo demoscheduled verkaufschance',
  customer:
    'client won closedwon buyer existingcustomer activecustomer newcustomer payingcustomer kunde neukunde bestandskunde cliente klant kund klient',
  evangelist: 'advocate promoter ambassador',
  other:
    'unqualified notqualified disqualified lost closedlost closednotconverted churned formercustomer excustomer pastcustomer partner vendor supplier competitor ' +
    'recycled cannotcontact junk baddata',
}
const stageByWord = new Map<string, LifecycleStage>([
  ...lifecycleStages.values.flatMap(stage => words[stage].split(' ').map(word => [word, stage] as const)),
  ...lifecycleStages.values.map(stage => [stage, stage] as const),
])

/** The stage that the text means, undefined for none. */
export function stageNamed(text: string): LifecycleStage | undefined {
  const word = plainWord(text)
  const one = word.replace(/s$/, '')
  const found = stageByWord.get(word) ?? stageByWord.get(one) ?? stageByWord.get(one.replace(/lead$/, ''))
  // `Customer (active)` and `1. Lead`.
  const plain = text.replace(/\s?\([^()]*\)\s?$|^\d{1,2}[.)]?\s/g, '')
  return found ?? (plain === text ? undefined : stageNamed(plain))
}
