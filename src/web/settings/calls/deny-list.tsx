// The deny list: numbers that are never called, whatever their contact allows.

import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { AllowNumberDocument, DeniedNumbersDocument, DenyNumberDocument } from '../../generated/documents/settings.ts'
import { announce } from '../../keyboard/announce.tsx'
import { callSettingWords } from '../../language/en/settings/calls.ts'
import { confirm } from '../../pieces/confirm.ts'
import { Time } from '../../pieces/time.tsx'
import { useMe } from '../../session/use-me.ts'
import { Row, Rows, Section } from '../section.tsx'

const pageSize = 50

export function DenyList() {
  const { mayWrite, isOff } = useMe()
  const [first, setFirst] = useState(pageSize)
  const read = useRead(DeniedNumbersDocument, { first })
  const { data, reread } = read
  const allowing = useMutationWithProblems(AllowNumberDocument)
  const allow = (phone: string) =>
    confirm({
      title: callSettingWords.allowQuestion(phone),
      loses: callSettingWords.allowLoses,
      verb: callSettingWords.allowCalls,
      onConfirm: () => void allowing.run({ input: { phone } }).then(reread),
    })
  const numbers = data?.deniedNumbers.nodes ?? []
  return (
    <Section read={read} height={57} failure={allowing.failure} title={callSettingWords.denyList} sentence={callSettingWords.denySentence}>
      {mayWrite && <Deny onDenied={reread} />}
      {data && numbers.length === 0 && (
        <Text size="sm" c="dimmed">
          {callSettingWords.noneDenied}
        </Text>
      )}
      {numbers.length > 0 && (
        <Rows label={callSettingWords.denied}>
          {numbers.map(({ id, phone, reason, createdAt, createdBy }) => (
            <Row
              key={id}
              name={phone}
              facts={
                <>
                  {reason && <span>{reason}</span>}
                  <span>{callSettingWords.deniedAt(<Time at={createdAt} />, createdBy.name || null)}</span>
                </>
              }
              actions={
                <Button variant="default" disabled={isOff} aria-label={callSettingWords.allowNumber(phone)} onClick={() => allow(phone)}>
                  {callSettingWords.allow}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      {data?.deniedNumbers.pageInfo.hasNextPage && (
        <Button variant="default" onClick={() => setFirst(first + pageSize)}>
          {callSettingWords.showMore}
        </Button>
      )}
    </Section>
  )
}

function Deny({ onDenied }: { onDenied(): void }) {
  const write = useWriteForm({
    document: DenyNumberDocument,
    initialValues: { phone: '', reason: '' },
    validate: { phone: value => (value.trim() === '' ? callSettingWords.numberNeeded : null) },
    // People write numbers in groups of digits; the server takes E.164.
    toVariables: ({ phone, reason }) => ({ input: { phone: phone.replace(/[\s().-]/g, ''), ...(reason && { reason }) } }),
    onWritten: ({ denyNumber }) => {
      announce(callSettingWords.isDenied(denyNumber.phone))
      write.form.reset()
      onDenied()
    },
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={callSettingWords.deny}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput label={callSettingWords.number} type="tel" placeholder="+49 30 1234567" {...form.getInputProps('phone')} />
        <TextInput label={callSettingWords.reason} placeholder={callSettingWords.reasonExample} {...form.getInputProps('reason')} />
      </SimpleGrid>
    </WriteFormView>
  )
}
