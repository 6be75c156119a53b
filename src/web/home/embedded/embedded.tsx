// A widget alone, on another site.

import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { type Failure, failureOfUnknown } from '../../data/failure.ts'
import { EmbeddedWidgetDocument } from '../../generated/documents/home.ts'
import type { WidgetFieldsFragment } from '../../generated/operations.ts'
import { homeWords } from '../../language/en/home.ts'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { LateSkeleton } from '../../pieces/states/late-skeleton.tsx'
import { viewersZone } from '../../session/preferences.ts'
import classes from '../home.module.css'
import { widgetTitle } from '../kinds.ts'
import { WidgetBody } from '../widget-body.tsx'
import { embeddedRoute } from './route.tsx'

// The key reads this widget and no stream of changes. Five minutes is fresh enough for a wall or an intranet page.
const readAgainMs = 300_000

export function EmbeddedWidget() {
  const { widgetId } = embeddedRoute.useParams()
  const [widget, setWidget] = useState<WidgetFieldsFragment | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [attempt, setAttempt] = useState(0)
  useDocumentTitle(widget ? widgetTitle(widget) : homeWords.embed.widget)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` sends the request again.
  useEffect(() => {
    let isGone = false
    const key = new URLSearchParams(window.location.hash.slice(1)).get('key') ?? ''
    const read = () =>
      ask(EmbeddedWidgetDocument, { id: widgetId, key, timezone: viewersZone() }).then(
        ({ embeddedWidget }) => {
          if (isGone) return
          setFailure(null)
          setWidget(embeddedWidget ?? null)
        },
        error => !isGone && setFailure(failureOfUnknown(error)),
      )
    void read()
    const timer = setInterval(read, readAgainMs)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [widgetId, attempt])
  return (
    <main className={classes.embedded}>
      {failure && <ErrorNotice failure={failure} onRetry={() => setAttempt(attempt + 1)} />}
      {failure?.code === 'NOT_FOUND' && (
        <Text size="sm" c="dimmed">
          {homeWords.keyRevoked}
        </Text>
      )}
      {!failure && !widget && <LateSkeleton height={180} count={1} />}
      {widget && (
        <>
          <Title order={1} size="h4">
            {widgetTitle(widget)}
          </Title>
          <WidgetBody widget={widget} isTable={false} isEmbedded />
        </>
      )}
    </main>
  )
}
