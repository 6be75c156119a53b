// The steps of an import, with the present one marked.

import { Text } from '@mantine/core'
import { importWords } from '../../language/en/inputs/imports.ts'
import classes from '../imports.module.css'
import type { Step } from '../settings.ts'

const steps: Readonly<Record<Step, string>> = importWords.step

export function Steps({ step }: { step: Step }) {
  return (
    <ol className={classes.steps} aria-label={importWords.steps} id="import-step" tabIndex={-1}>
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
