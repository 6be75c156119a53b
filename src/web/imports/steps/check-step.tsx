// The third step: the outcomes of all rows, and their problems, whose cells are corrected in place.

import { Button, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { onConflictValues } from '../../generated/schema.ts'
import { sentence } from '../../language/values.ts'
import { Status } from '../../pieces/status.tsx'
import classes from '../imports.module.css'
import { type Answers, type ImportCheck, mayEdit } from '../settings.ts'

interface CheckStepProps {
  check: ImportCheck
  isReading: boolean
  answers: Answers
  change(next: Partial<Answers>): void
  mayWrite: boolean
}

const rows = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`

export function CheckStep({ check, isReading, answers, change, mayWrite }: CheckStepProps) {
  const { edits, leftOut, onConflict } = answers
  const errors = check.problems.filter(({ kind }) => kind === 'ERROR')
  const warnings = check.problems.filter(({ kind }) => kind === 'WARNING')
  const edit = (row: number, column: number, value: string) => {
    const others = edits.filter(one => one.row !== row || one.column !== column)
    if (mayEdit(answers)) change({ edits: [...others, { row, column, value }] })
  }
  const parts = [
    `${check.createdCount.toLocaleString()} ${check.createdCount === 1 ? 'new contact' : 'new contacts'}`,
    ...(check.updatedCount > 0 ? [`${check.updatedCount.toLocaleString()} changed`] : []),
    ...(check.skippedCount > 0 ? [`${check.skippedCount.toLocaleString()} left as they are`] : []),
    ...(check.refusedCount > 0 ? [`${rows(check.refusedCount)} left out`] : []),
  ]
  return (
    <Stack gap="lg" aria-busy={isReading}>
      <div aria-live="polite">
        <Text fw={600} size="lg">
          {parts.join(', ')}
        </Text>
        <Text size="sm" c="dimmed">
          {check.isWhole
            ? `All ${rows(check.checkedCount)} of the file were checked.`
            : `The first ${rows(check.checkedCount)} of the file were checked. The others are checked while they are imported.`}
        </Text>
      </div>
      {(check.existingCount > 0 || onConflict !== null) && (
        <Radio.Group
          label={`${rows(check.existingCount)} belong to contacts that exist, or to an earlier row`}
          value={onConflict ?? 'REFUSE'}
          onChange={value => change({ onConflict: onConflictValues.find(one => one === value) ?? null })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="REFUSE" label="Leave the row out, and list it in the report" disabled={!mayWrite} />
            <Radio value="SKIP" label="Leave the contact as it is" disabled={!mayWrite} />
            <Radio value="UPDATE" label="Change the contact to the values of the row" disabled={!mayWrite} />
          </Stack>
        </Radio.Group>
      )}
      {errors.length > 0 && (
        <Problems
          title="Rows that are left out"
          hint="Correct them here, or download them after the import."
          problems={errors}
          edit={edit}
          mayWrite={mayWrite}
        />
      )}
      {warnings.length > 0 && (
        <Problems
          title="Cells to look at"
          hint="Their rows are imported, without what a field cannot hold. Correct a cell, or leave its row out."
          problems={warnings}
          edit={edit}
          leaveOut={mayEdit(answers) ? row => change({ leftOut: [...leftOut, row] }) : undefined}
          mayWrite={mayWrite}
        />
      )}
      {edits.length > 0 && (
        <Group gap="xs">
          <Text size="sm">
            {edits.length.toLocaleString()} {edits.length === 1 ? 'cell is' : 'cells are'} corrected.
          </Text>
          <Button variant="subtle" size="compact-sm" disabled={!mayWrite} onClick={() => change({ edits: [] })}>
            Take the corrections back
          </Button>
        </Group>
      )}
      {leftOut.length > 0 && (
        <Group gap="xs">
          <Text size="sm">You leave {rows(leftOut.length)} out.</Text>
          <Button variant="subtle" size="compact-sm" disabled={!mayWrite} onClick={() => change({ leftOut: [] })}>
            Import {leftOut.length === 1 ? 'it' : 'them'} after all
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface ProblemsProps {
  title: string
  hint: string
  problems: ImportCheck['problems']
  edit(row: number, column: number, value: string): void
  /** Rows with warnings alone: the others are left out anyway. */
  leaveOut?: ((row: number) => void) | undefined
  mayWrite: boolean
}

function Problems({ title, hint, problems, edit, leaveOut, mayWrite }: ProblemsProps) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {hint}
      </Text>
      {problems.map(({ kind, column, columnName, message, rowCount, cells }) => (
        <details key={`${column} ${message}`} className={classes.problem} open={problems.length === 1}>
          <summary>
            <Status tone={kind === 'ERROR' ? 'failing' : 'waiting'} label={rows(rowCount)} />{' '}
            <Text component="span" size="sm" ml={8} className={classes.anywhere}>
              {columnName === null ? sentence(message) : `${columnName}: ${message}`}
            </Text>
          </summary>
          <ul className={classes.cells}>
            {cells.map(({ row, value }) => (
              <li key={row} className={classes.problemCell}>
                <Text component="span" size="xs" c="dimmed">
                  {row > 0 ? `Row ${row}` : 'The file'}
                </Text>
                {column === null || row === 0 ? (
                  <Text size="sm" className={classes.anywhere}>
                    {value}
                  </Text>
                ) : (
                  <TextInput
                    aria-label={`${columnName} in row ${row}`}
                    defaultValue={value}
                    maxLength={1000}
                    disabled={!mayWrite}
                    onBlur={({ currentTarget }) => currentTarget.value !== value && edit(row, column, currentTarget.value)}
                    onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
                  />
                )}
                {leaveOut && row > 0 && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Leave out row ${row}`}
                    disabled={!mayWrite}
                    onClick={() => leaveOut(row)}
                  >
                    Leave out
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {rowCount > cells.length && (
            <Text size="xs" c="dimmed">
              And {(rowCount - cells.length).toLocaleString()} more.
            </Text>
          )}
        </details>
      ))}
    </section>
  )
}
