// Home: the checklist of an organization without contacts; afterwards the person's widgets, in their order, and above them the steps of the setup
// that are not done. A failed widget does not affect the others.

import { Button, Skeleton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useQuery } from 'urql'
import { failureOf } from '../data/failure.ts'
import { Header } from '../frame/header.tsx'
import { DashboardWidgetsDocument } from '../generated/documents/home.ts'
import { frameWords } from '../language/en/frame.ts'
import { homeWords } from '../language/en/home.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { useIsAway } from '../live/connectivity.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Late } from '../pieces/states/late-skeleton.tsx'
import { useMe } from '../session/use-me.ts'
import { AddWidget } from './add-widget.tsx'
import { Checklist } from './checklist.tsx'
import classes from './home.module.css'
import { homeRoute } from './route.tsx'
import { SampleDataNotice } from './sample-data.tsx'
import { StepsLeft } from './steps-left.tsx'
import { useStart } from './use-start.ts'
import { useWidgetWrites } from './use-widget-writes.ts'
import { WidgetView } from './widget.tsx'

const shapes = ['wide', 'narrow', 'wide', 'narrow', 'narrow', 'narrow'] as const

export function HomeScreen() {
  const [{ data, error, fetching }, read] = useQuery({ query: DashboardWidgetsDocument })
  const { isGuest, isOff, organization } = useMe()
  const isAway = useIsAway()
  const navigate = useNavigate({ from: homeRoute.fullPath })
  const { setup } = homeRoute.useSearch()
  const start = useStart()
  const isSetup = start !== null && (setup ?? start.isEmpty)
  // Of this browser: another one shows them once more.
  const [isHidden, setHidden] = useLocalStorage({
    key: `rolocom.setup-hidden ${organization?.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const left = start?.steps.filter(({ isDone }) => !isDone).length ?? 0
  const readAgain = () => read({ requestPolicy: 'network-only' })
  const writes = useWidgetWrites(readAgain)
  // Everybody has a dashboard, viewers too.
  const mayArrange = !isGuest && !isAway
  const widgets = (data?.dashboardWidgets ?? []).toSorted((a, b) => a.position - b.position)
  const add = <AddWidget isGuest={isGuest} isOff={!mayArrange} onAdd={kind => void writes.add({ kind })} />
  return (
    <>
      <Header
        title={frameWords.places.home}
        actions={
          isSetup ? undefined : (
            <>
              {left > 0 && isHidden && (
                <ButtonLink to="/home" search={{ setup: true }} variant="subtle">
                  {homeWords.start.stepsLeft(countText(left, nounWords.step))}
                </ButtonLink>
              )}
              {add}
            </>
          )
        }
      />
      {start?.hasSampleData && <SampleDataNotice />}
      {start && left > 0 && !isSetup && !isHidden && <StepsLeft start={start} onHide={() => setHidden(true)} />}
      {isSetup && <Checklist start={start} onHide={() => void navigate({ search: { setup: false } })} />}
      {error && !data && (
        <div className={classes.notice}>
          <ErrorNotice failure={failureOf(error)} onRetry={readAgain} />
        </div>
      )}
      {fetching && !data && (
        <Late>
          <div className={classes.widgets} aria-busy="true">
            {shapes.map((width, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order.
              <div key={index} className={classes.widget} data-width={width}>
                <Skeleton height={20} width={140} mb="md" />
                <Skeleton height={220} />
              </div>
            ))}
          </div>
        </Late>
      )}
      {!isSetup && data && widgets.length === 0 && (
        <Empty
          sentence={homeWords.empty}
          action={
            <Button disabled={!mayArrange} onClick={() => void writes.add({ kind: 'CONTACTS_OVER_TIME' })}>
              {homeWords.addFirst}
            </Button>
          }
        />
      )}
      {!isSetup && widgets.length > 0 && (
        <div className={classes.widgets}>
          {widgets.map((widget, index) => (
            <WidgetView
              key={widget.id}
              widget={widget}
              mayArrange={mayArrange}
              mayEmbed={!isOff}
              isFirst={index === 0}
              isLast={index === widgets.length - 1}
              writes={writes}
            />
          ))}
        </div>
      )}
    </>
  )
}
