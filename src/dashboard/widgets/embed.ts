// Widgets on pages elsewhere: read with a key of their own, framed only by origins that the organization lists.

import { type CreatedWidgetKey, insertWidgetKey, makerOfWidgetKey } from '../../identity/keys/widget-key.ts'
import { embedOriginsOf } from '../../identity/organizations/embedding.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { changing, type DashboardWidget, getWidget } from './widget.ts'

/** Makes a key for a widget of the user's dashboard. Throws NOT_FOUND, INVALID and CONFLICT. */
export function createWidgetKey(context: Context, { widgetId, label }: { widgetId: string; label: string }): Promise<CreatedWidgetKey> {
  return changing(context, async ({ tx }) => insertWidgetKey(tx, (await getWidget(tx, widgetId)).id, label))
}

/**
 * The widget that the key is for. It is read as its maker, with the maker's present role. Objects below the answer
 * keep the principal of the request, which may read nothing. Throws NOT_FOUND.
 */
export async function embeddedWidget(context: Context, { id, key }: { id: string; key: string }): Promise<DashboardWidget> {
  const principal = await makerOfWidgetKey(context, id, key)
  if (!principal) throw new AppError('NOT_FOUND', 'No widget has this id and key: the key may be revoked, or its maker may have left')
  const readAs: Context = { ...context, principal, requestedOrgId: principal.currentOrgId }
  return { ...(await getWidget(readAs, id)), readAs }
}

/**
 * The directive of the Content-Security-Policy of the page `/widgets/<id>`: which origins may show it in a frame. `'none'` for an unknown
 * widget, and while the organization lists none. The page must not have an X-Frame-Options header, which knows no lists.
 */
export async function frameAncestorsOf({ database }: Pick<Services, 'database'>, widgetId: string): Promise<string> {
  const widget = isId(widgetId)
    ? await database.prisma.dashboardWidget.findUnique({ where: { id: widgetId.toLowerCase() }, select: { orgId: true } })
    : null
  const origins = widget ? await embedOriginsOf(database, widget.orgId) : []
  return `frame-ancestors ${origins.length > 0 ? origins.join(' ') : "'none'"}`
}
