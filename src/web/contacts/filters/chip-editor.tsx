// The editor below a filter's chip.

import { Popover, Text } from '@mantine/core'
import { filterWords } from '../../language/en/contact/filter-editors.ts'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import { DayRangeInputs } from '../../pieces/range-inputs.tsx'
import { CompanyFilter } from './company.tsx'
import { CustomFilter } from './custom-filter.tsx'
import { ChoicesFilter, FlagFilter, TagsFilter, TextsFilter } from './editors.tsx'
import type { FilterKind } from './kinds.ts'
import type { FilterSearch } from './search.ts'

interface EditorProps {
  kind: FilterKind
  search: FilterSearch
  onChange(change: FilterSearch): void
}

export default function ChipEditor({ target, isOpen, onOpen, ...props }: EditorProps & OpeningProps) {
  return (
    <Popover opened={isOpen} onChange={onOpen} position="bottom-start" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown aria-label={props.kind.label}>
        <Editor {...props} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Editor({ kind: { label, editor }, search, onChange }: EditorProps) {
  switch (editor.kind) {
    case 'choices':
      return (
        <ChoicesFilter
          label={label}
          value={search[editor.name]}
          options={editor.options}
          onChange={value => onChange({ [editor.name]: value })}
        />
      )
    case 'texts':
      return (
        <TextsFilter
          label={label}
          value={search[editor.name]}
          isPart={editor.name !== 'country'}
          onChange={value => onChange({ [editor.name]: value })}
        />
      )
    case 'days':
      return <DayRangeInputs label={label} value={search[editor.name]} onChange={value => onChange({ [editor.name]: value })} />
    case 'flag':
      return (
        <FlagFilter
          label={label}
          value={search[editor.name]?.toString()}
          options={editor.options}
          onChange={value =>
            onChange(editor.name === 'deleted' ? { deleted: value === 'only' ? 'only' : 'true' } : { doNotCall: value === 'true' })
          }
        />
      )
    case 'import':
      return <Text size="sm">{filterWords.ofImport}</Text>
    case 'company':
      return <CompanyFilter label={label} value={search.companyId} onChange={companyId => onChange({ companyId })} />
    case 'tags':
      return <TagsFilter any={search.tag} all={search.tagAll} onChange={onChange} />
    case 'custom':
      return (
        <CustomFilter
          field={editor.field}
          fieldKey={editor.fieldKey}
          texts={search.custom ?? []}
          onChange={value => onChange({ custom: value })}
        />
      )
  }
}
