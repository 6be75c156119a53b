// The page of a deal: its timeline, notes and tasks at the left, its fields and people at the right. A phone has a tab for each.

import { Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { ActivityTabs } from '../contact-record/activity-tabs.tsx'
import { DeletedNotice } from '../contact-record/deleted-notice.tsx'
import classes from '../contact-record/record.module.css'
import { failureOf } from '../data/failure.ts'
import { Header } from '../frame/header.tsx'
import { DealRecordDocument } from '../generated/documents/deal-record.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { frameWords } from '../language/en/frame.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { useMe } from '../session/use-me.ts'
import { Actions } from './actions.tsx'
import { CallsOfDeal } from './calls.tsx'
import { Fields } from './fields.tsx'
import { GoneDeal } from './gone.tsx'
import { People } from './people.tsx'
import { dealRoute } from './route.tsx'
import { Steps } from './steps.tsx'
import { DealTimeline } from './timeline.tsx'

export function DealScreen() {
  const { dealId } = dealRoute.useParams()
  const { tab = 'fields' } = dealRoute.useSearch()
  const navigate = useNavigate({ from: dealRoute.fullPath })
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const isOff = useMe().isOff
  const [{ data, error }, read] = useQuery({
    query: DealRecordDocument,
    variables: { id: dealId },
    requestPolicy: 'cache-and-network',
  })
  const deal = data?.deal?.id === dealId ? data.deal : null
  if (error && !deal) return <GoneDeal failure={failureOf(error)} onRetry={() => read({ requestPolicy: 'network-only' })} />
  if (!deal)
    return (
      <>
        <Header title={dealWords.one} />
        <div className={classes.page}>
          <Group className={classes.main} pt="md" grow>
            <LateSkeleton height={28} count={6} />
          </Group>
          <div className={classes.side}>
            <LateSkeleton height={24} count={9} />
          </div>
        </div>
      </>
    )
  const mayWrite = !isOff && deal.deletedAt === null
  const fields = <Fields deal={deal} mayWrite={mayWrite} />
  const people = <People deal={deal} mayWrite={mayWrite} />
  const calls = <CallsOfDeal dealId={dealId} />
  const timeline = <DealTimeline key={dealId} deal={deal} mayWrite={mayWrite} />
  const ofPhone = [
    { id: 'fields', label: dealWords.tabs.fields, content: fields },
    { id: 'people', label: dealWords.tabs.people, content: people },
    { id: 'calls', label: dealWords.calls.title, content: calls },
  ] as const
  return (
    <>
      <Header
        title={deal.title}
        views={
          <Group gap="sm" wrap="nowrap" miw={0} visibleFrom="sm">
            {deal.company && (
              <AnchorLink to="/companies/$companyId" params={{ companyId: deal.company.id }} size="sm" truncate>
                {deal.company.name}
              </AnchorLink>
            )}
            <AnchorLink to="/deals" size="sm" style={{ flex: 'none' }}>
              <IconArrowLeft size={14} aria-hidden /> {frameWords.places.deals}
            </AnchorLink>
          </Group>
        }
        actions={<Actions deal={deal} mayWrite={!isOff} />}
      />
      <DroppedFilters />
      {deal.deletedAt ? <DeletedNotice at={deal.deletedAt} keeps={dealWords.keepsAll} /> : <Steps deal={deal} mayWrite={mayWrite} />}
      <div className={classes.page}>
        <div className={classes.main}>
          <ActivityTabs<'fields' | 'people' | 'calls'>
            record={{ noun: 'deal', id: dealId }}
            mayWrite={mayWrite}
            tab={tab}
            onTab={next => void navigate({ search: { tab: next }, replace: true })}
            first={isPhone ? ofPhone : []}
            timeline={timeline}
          />
        </div>
        {!isPhone && (
          <aside className={classes.side} aria-label={dealWords.fields}>
            {fields}
            {people}
            {calls}
          </aside>
        )}
      </div>
    </>
  )
}
