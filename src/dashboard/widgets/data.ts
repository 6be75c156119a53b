// Reads what a widget shows, once for each widget and time zone of a request.

import { type Context, requireScope } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { timezone as readTimezone } from '../../kernel/input/fields.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'
import { perObject } from '../../kernel/per-object.ts'
import { startOfDayBefore } from './days.ts'
import { kindNamed, type WidgetData } from './kind.ts'
import type { DashboardWidget } from './widget.ts'

const reads = perObject((_: Context) => new Map<string, Promise<WidgetData>>())

/** Throws FORBIDDEN without the scope of its kind, and INVALID for an unknown time zone. Aliases of one widget share a read. */
export function readWidgetData(caller: Context, widget: DashboardWidget, timezone: string): Promise<WidgetData> {
  const context = widget.readAs ?? caller
  const name = `${widget.id} ${timezone}`
  const known = reads(context).get(name) ?? read(context, widget, timezone)
  reads(context).set(name, known)
  return known
}

async function read(context: Context, { kind, rangeDays, per, groupBy }: DashboardWidget, given: string): Promise<WidgetData> {
  const { scope, read } = kindNamed(kind)
  requireScope(context, scope)
  const timezone = readTimezone(given) ?? 'UTC'
  if (timezone instanceof Invalid) throw invalid(at('timezone', timezone))
  const since = rangeDays === null ? null : startOfDayBefore(context.now(), rangeDays - 1, timezone)
  return read({ context, timezone, since, rangeDays, per, groupBy })
}
