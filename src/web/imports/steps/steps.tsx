// The steps of an import, with the present one marked.

import { Text } from '@mantine/core'
import classes from '../imports.module.css'
import type { Step } from '../settings.ts'

const steps = { columns: 'Columns', values: 'Values', check: 'Check' } as const satisfies Record<Step, string>

export function Steps({ step }: { step: Step }) {
  return (
    <ol className={classes.steps} aria-label="Steps" id="import-step" tabIndex={-1}>
      {Object.entries(steps).map(([name, label], index) => (
        <li key={name} aria-current={name === step ? 'step' : undefined}>
          <Text component="span" size="sm" fw={name === step ? 600 : 400} c={name === step ? undefined : 'dimmed'}>
            {index + 1}. {label}
          </Text>
        </li>
      ))}
    </ol>
  )
}
