// A widget of the dashboard: its title, its content or failure, and its menu.

import { Skeleton, Title } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../data/failure.ts'
import { DashboardWidgetDocument } from '../generated/documents/home.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Late } from '../pieces/states/late-skeleton.tsx'
import { viewersZone } from '../session/preferences.ts'
import { EmbedDialog } from './embedded/embed-dialog.tsx'
import classes from './home.module.css'
import { widgetKinds, widgetTitle } from './kinds.ts'
import type { Widget, WidgetWrites } from './use-widget-writes.ts'
import { WidgetBody } from './widget-body.tsx'
import { WidgetMenu } from './widget-menu.tsx'

interface WidgetViewProps {
  widget: Widget
  mayArrange: boolean
  mayEmbed: boolean
  isFirst: boolean
  isLast: boolean
  writes: WidgetWrites
}

export function WidgetView({ widget, mayArrange, mayEmbed, isFirst, isLast, writes }: WidgetViewProps) {
  const [isTable, setTable] = useState(false)
  const [isEmbedding, setEmbedding] = useState(false)
  const [{ data, error }, read] = useQuery({ query: DashboardWidgetDocument, variables: { id: widget.id, timezone: viewersZone() } })
  const title = widgetTitle(widget)
  const full = data?.dashboardWidget
  return (
    <section className={classes.widget} data-width={widgetKinds[widget.kind].width} aria-label={title}>
      <div className={classes.top}>
        <Title order={2} size="h4" className={classes.title}>
          {title}
        </Title>
        <WidgetMenu
          widget={widget}
          title={title}
          mayArrange={mayArrange}
          mayEmbed={mayEmbed}
          isFirst={isFirst}
          isLast={isLast}
          isTable={isTable}
          onTable={() => setTable(!isTable)}
          onEmbed={() => setEmbedding(true)}
          writes={writes}
        />
      </div>
      {error && !full?.data && <ErrorNotice failure={failureOf(error)} onRetry={() => read({ requestPolicy: 'network-only' })} />}
      {!data && !error && (
        <Late>
          <Skeleton height={36} width={160} mt="xs" mb="md" />
          <Skeleton height={180} />
        </Late>
      )}
      {full && <WidgetBody widget={full} isTable={isTable} />}
      <EmbedDialog widgetId={widget.id} title={title} isOpen={isEmbedding} onClose={() => setEmbedding(false)} />
    </section>
  )
}
