// Companies and deals of people who do not exist, for the demo organization and for sample data.

import type { Context } from '../../kernel/context.ts'
import { createDeal, type NewDeal } from '../deals/deal.ts'
import { moveDeal } from '../deals/moves/move.ts'
import type { Deal } from '../deals/row.ts'
import type { Stage } from '../pipelines/row.ts'
import type { Random } from './people.ts'

export const subjects = [
  'Renewal of 40 seats',
  'Pilot for the sales team',
  'New subscription',
  'Upgrade to the enterprise plan',
  'Rollout in three offices',
  'Training for new colleagues',
  'Import of the old system',
]
export const lostReasons = ['Price', 'Timing', 'Chose a competitor', 'No budget', 'No decision']
export const roles = ['Decides', 'Uses it', 'Signs the contract', 'Introduced us']
// By the last word of the name.
const industries: Readonly<Record<string, RegExp>> = {
  Software: /(Labs|Analytics|Robotics|Software|Security|Maps|Studios)$/,
  Logistics: /(Freight|Couriers|Logistics|Shipping|Air|Mobility|Travel)$/,
  Retail: /(Books|Bikes|Bakery|Outdoors|Cosmetics|Tools|Key|Gardens)$/,
  'Health care': /(Clinics|Health|Dental|Pharmacy|Wellness|Optics)$/,
  Construction: /(Homes|Builders|Works|Realty|Finch)$/,
  Hospitality: /(Hotels|Events|Seafood|Foods|Vine|Brewing|Farms|Growers)$/,
  Finance: /(Bank|Capital|Insurance|Legal)$/,
  Education: /Schools$/,
  Media: /(Media|Design)$/,
  Energy: /(Energy|Solar)$/,
}
const industryOf = (name: string) => Object.entries(industries).find(([, words]) => words.test(name))?.[0] ?? 'Manufacturing'

/** Facts of a company, with a revenue in euros. */
export const companyFacts = (random: Random, name: string) => ({
  ...{ industry: industryOf(name), employeeCount: 10 + Math.floor(random() ** 3 * 4000) },
  ...{ annualRevenue: String(500_000 + Math.floor(random() ** 2 * 400) * 100_000), annualRevenueCurrency: 'EUR' },
})

export const dealAmount = (random: Random): string => String(1000 + Math.floor(random() ** 2 * 90) * 500)

const dayMs = 86_400_000
const daysBetween = 6

interface PastDeal extends Omit<NewDeal, 'pipelineId' | 'stageId' | 'expectedClose' | 'lostReason'> {
  stages: readonly Stage[]
  /** The stage that it is in. */
  last: Stage
  /** The days since it came into that stage. */
  days: number
  lostReason: string
  /** Of an open deal, the days until it is expected to be won. */
  expectedIn: number
}

/** Adds a deal that has gone its way through the stages. `at`: the context of so many days ago. */
export async function writePastDeal(
  at: (days: number) => Context,
  { stages, last, days, lostReason, expectedIn, ...input }: PastDeal,
): Promise<Deal> {
  const way = stages.filter(({ kind, position }) => kind === 'open' && position < last.position)
  // Lost deals have left the way early.
  const passed = last.kind === 'lost' ? way.slice(0, 2) : way
  const [first = last, ...between] = [...passed, last]
  const expectedClose = new Date(
    at(last.kind === 'open' ? -expectedIn : days)
      .now()
      .getTime(),
  )
  const deal = await createDeal(at(days + between.length * daysBetween), { ...input, stageId: first.id, expectedClose })
  let moved = deal
  for (const [step, stage] of between.entries())
    moved = await moveDeal(at(days + (between.length - step - 1) * daysBetween), {
      ...{ id: deal.id, stageId: stage.id },
      ...(stage.kind === 'lost' && { lostReason }),
    })
  return moved
}

/** The context of so many days ago. */
export const daysAgo = (context: Context, days: number): Context => {
  const now = context.now().getTime()
  return { ...context, now: () => new Date(now - days * dayMs) }
}
