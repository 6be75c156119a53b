// Chooses the company that is merged into this one: a likely duplicate, or another one that is found by its name or domain.

import { Divider, Stack, Text, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Company } from '../company-record/fields.ts'
import { useRead } from '../data/use-read.ts'
import { CompanySelect } from '../deal-record/company-select.tsx'
import { Dialog } from '../frame/floating/dialog.tsx'
import { LikelyDuplicatesOfCompanyDocument } from '../generated/documents/company.ts'
import { companyWords } from '../language/en/companies.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import classes from './merge-with.module.css'

const words = duplicateWords.mergeWith

interface MergeWithProps {
  company: Company
  isOpen: boolean
  onClose(): void
}

export default function MergeWith({ company, isOpen, onClose }: MergeWithProps) {
  const navigate = useNavigate()
  const read = useRead(LikelyDuplicatesOfCompanyDocument, { companyId: company.id }, { isOn: isOpen, isFresh: true })
  const likely = (read.data?.companyDuplicatesOf?.nodes ?? []).map(({ company: one, duplicate, reasons }) => ({
    ...(one.id === company.id ? duplicate : one),
    reasons,
  }))
  const compare = (other: string) => void navigate({ to: '/duplicates', search: { of: 'companies', keep: company.id, other, back: true } })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={words.title(company.name)}>
      <Stack gap="sm">
        {read.failure && <ErrorNotice failure={read.failure} onRetry={read.reread} />}
        {likely.length > 0 && (
          <>
            <Stack gap={0} role="group" aria-label={words.likely}>
              <Text size="xs" c="dimmed" mb={4}>
                {words.likely}
              </Text>
              {likely.map(({ id, name, domain, reasons }) => (
                <UnstyledButton key={id} className={classes.one} onClick={() => compare(id)}>
                  <Text size="sm" truncate>
                    {name}
                    {domain && domain !== name && (
                      <Text span size="xs" c="dimmed" ml={6}>
                        {domain}
                      </Text>
                    )}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {reasons.map(reason => duplicateWords.reason[reason]).join(' · ')}
                  </Text>
                </UnstyledButton>
              ))}
            </Stack>
            <Divider />
          </>
        )}
        <CompanySelect
          label={words.another}
          description={words.compared}
          placeholder={companyWords.search.example}
          without={company.id}
          data-autofocus
          onChange={other => other !== null && compare(other)}
        />
      </Stack>
    </Dialog>
  )
}
