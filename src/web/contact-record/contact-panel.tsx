// A contact in the panel beside the list.

import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../frame/panel.tsx'
import { recordWords } from '../language/en/contact/record.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { useMe } from '../session/use-me.ts'
import { DeletedNotice } from './deleted-notice.tsx'
import { nameOf } from './fields/fields.ts'
import { GoneContact } from './gone.tsx'
import { RecordActions } from './record-actions.tsx'
import { RecordFields } from './record-fields.tsx'
import { type RecordTab, RecordTabs } from './record-tabs.tsx'
import { useRecord } from './use-record.ts'

export default function ContactPanel({ contactId, onClose }: { contactId: string; onClose(): void }) {
  const { contact, suggestions, failure, retry } = useRecord(contactId)
  const [tab, setTab] = useState<RecordTab | 'fields'>('fields')
  const mayWrite = !useMe().isOff
  return (
    <Panel
      isOpen
      isInAddress
      onClose={onClose}
      title={
        contact ? (
          <Text fw={600} lineClamp={2}>
            {nameOf(contact)}
          </Text>
        ) : (
          recordWords.contact
        )
      }
    >
      {failure && <GoneContact failure={failure} onRetry={retry} />}
      {!contact && !failure && <LateSkeleton height={28} count={8} />}
      {contact && (
        <Stack gap="sm">
          <Group gap="xs">
            <RecordActions contact={contact} mayWrite={mayWrite} />
            <ButtonLink variant="subtle" color="gray" to="/contacts/$contactId" params={{ contactId }}>
              {recordWords.openPage}
            </ButtonLink>
          </Group>
          {contact.deletedAt && <DeletedNotice at={contact.deletedAt} />}
          <RecordTabs
            key={contactId}
            contactId={contactId}
            mayWrite={mayWrite && contact.deletedAt === null}
            tab={tab}
            onTab={setTab}
            fields={<RecordFields contact={contact} suggestions={suggestions} mayWrite={mayWrite && contact.deletedAt === null} />}
          />
        </Stack>
      )}
    </Panel>
  )
}
