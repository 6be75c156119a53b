// The fields of a contact, with the origins of their values and the suggestions for them.

import { Box } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadPart } from '../app/loaded.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { FieldList } from './field-list.tsx'
import { FieldRow } from './field-row.tsx'
import { useContactFields } from './fields/choices.ts'
import { ContactEditor } from './fields/contact-editor.tsx'
import { Origin } from './origin.tsx'
import classes from './record.module.css'
import { SuggestionOffer } from './suggestion-offer.tsx'
import type { ContactRecord, WaitingSuggestion } from './use-record.ts'

const FurtherAddresses = lazy(() => loadPart(() => import('./addresses/further.tsx')))

interface RecordFieldsProps {
  contact: ContactRecord
  suggestions: ReadonlyMap<string, WaitingSuggestion>
  mayWrite: boolean
}

const always = new Set(['firstName', 'lastName', 'email', 'phone', 'companyName', 'jobTitle', 'lifecycleStage', 'ownerUserId', 'tags'])

export function RecordFields({ contact, suggestions, mayWrite }: RecordFieldsProps) {
  const fields = useContactFields()
  const metaOf = new Map(contact.fieldMeta.map(meta => [meta.field, meta]))
  return (
    <FieldList
      record={contact}
      fields={fields}
      always={always}
      isSuggested={id => suggestions.has(id)}
      row={(field, hasValue) => {
        const { id, label } = field
        const kind = id === 'email' ? 'emails' : id === 'phone' ? 'phones' : null
        const [meta, suggestion] = [metaOf.get(id), suggestions.get(id)]
        return (
          <FieldRow
            key={id}
            record={contact}
            field={field}
            mayWrite={mayWrite}
            Editor={ContactEditor}
            {...(id === 'companyName' &&
              contact.companyId !== null && {
                isLink: true,
                shown: (
                  <AnchorLink to="/companies/$companyId" params={{ companyId: contact.companyId }} inherit>
                    {contact.companyName}
                  </AnchorLink>
                ),
              })}
            origin={meta && hasValue && <Origin meta={meta} label={label} />}
            offer={
              <>
                {suggestion && <SuggestionOffer suggestion={suggestion} label={label} mayWrite={mayWrite} />}
                {kind && (
                  <Box className={classes.further}>
                    <Suspense>
                      <FurtherAddresses contact={contact} kind={kind} mayWrite={mayWrite} />
                    </Suspense>
                  </Box>
                )}
              </>
            }
          />
        )
      }}
    />
  )
}
