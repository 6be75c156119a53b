// The widgets of deals. Each currency has its own figure and its own bars, and each widget is also available as a table.

import type { ComponentType } from 'react'
import { Activity } from './activity.tsx'
import { ByStage } from './by-stage.tsx'
import { DaysInStage } from './days-in-stage.tsx'
import type { FiguresProps } from './figures.ts'
import { Forecast } from './forecast.tsx'
import { WinRate } from './win-rate.tsx'

const widgetsOfDeals = {
  DEALS_BY_STAGE: ByStage,
  DEALS_FORECAST: Forecast,
  DEALS_WIN_RATE: WinRate,
  DAYS_IN_STAGE: DaysInStage,
  DEAL_ACTIVITY: Activity,
} as const satisfies Record<string, ComponentType<FiguresProps>>

export default function DealWidget({ kind, ...props }: FiguresProps & { kind: keyof typeof widgetsOfDeals }) {
  const Shown = widgetsOfDeals[kind]
  return <Shown {...props} />
}
