// The page of a contact: its timeline and lists at the left, its fields at the right.

import { Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { DeletedNotice } from '../contact-record/deleted-notice.tsx'
import { nameOf } from '../contact-record/fields/fields.ts'
import { GoneContact } from '../contact-record/gone.tsx'
import classes from '../contact-record/record.module.css'
import { RecordActions } from '../contact-record/record-actions.tsx'
import { RecordFields } from '../contact-record/record-fields.tsx'
import { RecordTabs } from '../contact-record/record-tabs.tsx'
import { useRecord } from '../contact-record/use-record.ts'
import { Header } from '../frame/header.tsx'
import { recordWords } from '../language/en/contact/record.ts'
import { contactWords } from '../language/en/contacts.ts'
import { frameWords } from '../language/en/frame.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { useMe } from '../session/use-me.ts'
import { contactRoute } from './route.tsx'

export function ContactScreen() {
  const { contactId } = contactRoute.useParams()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { tab = isPhone ? 'fields' : 'timeline', call: isCalled = false } = contactRoute.useSearch()
  const navigate = useNavigate({ from: contactRoute.fullPath })
  const { contact, suggestions, failure, retry } = useRecord(contactId)
  const mayWrite = !useMe().isOff
  if (failure) return <GoneContact failure={failure} onRetry={retry} />
  if (!contact)
    return (
      <>
        <Header title={recordWords.contact} />
        <div className={classes.page}>
          <div className={classes.main}>
            <Group pt="md" grow>
              <LateSkeleton height={28} count={6} />
            </Group>
          </div>
          <div className={classes.side}>
            <LateSkeleton height={24} count={9} />
          </div>
        </div>
      </>
    )
  const isEditable = mayWrite && contact.deletedAt === null
  const fields = <RecordFields contact={contact} suggestions={suggestions} mayWrite={isEditable} />
  const { jobTitle, companyId, companyName } = contact
  return (
    <>
      <Header
        title={nameOf(contact)}
        views={
          <Group gap="sm" wrap="nowrap" miw={0} visibleFrom="sm">
            <Text size="sm" c="dimmed" truncate>
              {companyId === null ? [jobTitle, companyName].filter(Boolean).join(', ') : jobTitle}
            </Text>
            {companyId !== null && (
              <AnchorLink to="/companies/$companyId" params={{ companyId }} size="sm" truncate>
                {companyName}
              </AnchorLink>
            )}
            <AnchorLink to="/contacts" size="sm" style={{ flex: 'none' }}>
              <IconArrowLeft size={14} aria-hidden /> {frameWords.places.contacts}
            </AnchorLink>
          </Group>
        }
        actions={
          <RecordActions
            key={String(isCalled)}
            contact={contact}
            mayWrite={mayWrite}
            isCalled={isCalled}
            onCallClosed={() => isCalled && void navigate({ search: before => ({ ...before, call: undefined }), replace: true })}
          />
        }
      />
      <DroppedFilters />
      {contact.deletedAt && <DeletedNotice at={contact.deletedAt} />}
      <div className={classes.page}>
        <div className={classes.main}>
          <RecordTabs
            contactId={contactId}
            mayWrite={isEditable}
            tab={tab}
            onTab={next => void navigate({ search: { tab: next }, replace: true })}
            fields={isPhone && fields}
          />
        </div>
        {!isPhone && (
          <aside className={classes.side} aria-label={contactWords.tabs.fields}>
            {fields}
          </aside>
        )}
      </div>
    </>
  )
}
