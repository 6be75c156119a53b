// The page of a company: its timeline, notes and tasks at the left, its fields at the right. A phone has a tab for each.

import { Group, Text } from '@mantine/core'
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
import { CompanyRecordDocument } from '../generated/documents/company-record.ts'
import { companyWords } from '../language/en/companies.ts'
import { frameWords } from '../language/en/frame.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { useMe } from '../session/use-me.ts'
import { Actions } from './actions.tsx'
import { Fields } from './fields.tsx'
import { GoneCompany } from './gone.tsx'
import { DealsOfCompany, PeopleOfCompany } from './related.tsx'
import { companyRoute } from './route.tsx'
import { CompanyTimeline } from './timeline.tsx'

export function CompanyScreen() {
  const { companyId } = companyRoute.useParams()
  const { tab = 'fields' } = companyRoute.useSearch()
  const navigate = useNavigate({ from: companyRoute.fullPath })
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const mayWrite = !useMe().isOff
  const [{ data, error }, read] = useQuery({
    query: CompanyRecordDocument,
    variables: { id: companyId },
    requestPolicy: 'cache-and-network',
  })
  const company = data?.company?.id === companyId ? data.company : null
  if (error && !company) return <GoneCompany failure={failureOf(error)} onRetry={() => read({ requestPolicy: 'network-only' })} />
  if (!company)
    return (
      <>
        <Header title={companyWords.one} />
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
  const isOpen = mayWrite && company.deletedAt === null
  const related = { company, mayWrite: isOpen }
  const fields = <Fields key={companyId} {...related} />
  const deals = <DealsOfCompany {...related} />
  const people = <PeopleOfCompany key={companyId} {...related} />
  const ofPhone = [
    { id: 'fields', label: companyWords.tabs.fields, content: fields },
    { id: 'people', label: companyWords.people.title, content: people },
    { id: 'deals', label: frameWords.places.deals, content: deals },
  ] as const
  const timeline = <CompanyTimeline key={companyId} companyId={companyId} mayWrite={isOpen} />
  return (
    <>
      <Header
        title={company.name}
        views={
          <Group gap="sm" wrap="nowrap" miw={0} visibleFrom="sm">
            <Text size="sm" c="dimmed" truncate>
              {company.domain}
            </Text>
            <AnchorLink to="/companies" size="sm" style={{ flex: 'none' }}>
              <IconArrowLeft size={14} aria-hidden /> {frameWords.places.companies}
            </AnchorLink>
          </Group>
        }
        actions={<Actions company={company} mayWrite={mayWrite} />}
      />
      <DroppedFilters />
      {company.deletedAt && <DeletedNotice at={company.deletedAt} keeps={companyWords.keepsAll} />}
      <div className={classes.page}>
        <div className={classes.main}>
          <ActivityTabs<'fields' | 'people' | 'deals'>
            record={{ noun: 'company', id: companyId }}
            mayWrite={isOpen}
            tab={tab}
            onTab={next => void navigate({ search: { tab: next }, replace: true })}
            first={isPhone ? ofPhone : []}
            timeline={timeline}
          />
        </div>
        {!isPhone && (
          <aside className={classes.side} aria-label={companyWords.fields}>
            {fields}
            {deals}
            {people}
          </aside>
        )}
      </div>
    </>
  )
}
