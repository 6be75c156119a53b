// The Dockerfile as stages of instructions.

import { readFileSync } from 'node:fs'
import { type Copy, DockerfileParser } from 'dockerfile-ast'

export interface Instruction {
  keyword: string
  /** What stands behind the keyword and the flags. */
  text: string
  /** The stage that COPY copies from, when it is not the context. */
  from: string | undefined
}

export interface Stage {
  /** Name and tag of the image that it starts from. */
  from: { image: string; tag: string }
  name: string | undefined
  instructions: Instruction[]
}

export function stagesOf(file: string): Stage[] {
  const stages: Stage[] = []
  for (const instruction of DockerfileParser.parse(readFileSync(file, 'utf8')).getInstructions()) {
    const keyword = instruction.getKeyword()
    const text = instruction.getArgumentsContent() ?? ''
    if (keyword === 'FROM') {
      const [reference = '', , name] = text.split(/\s+/)
      const [image = '', tag = 'latest'] = reference.split(':')
      stages.push({ from: { image, tag }, name, instructions: [] })
    } else {
      const stage = stages.at(-1)
      if (!stage) throw new Error(`${keyword} stands before the first FROM`)
      // Only COPY has it; the type of instructions tells them apart by nothing.
      const from = 'getFromFlag' in instruction ? (instruction as Copy).getFromFlag()?.getValue() : undefined
      stage.instructions.push({ keyword, text, from: from ?? undefined })
    }
  }
  return stages
}

/** A command in its exec form, and in its shell form through a shell, as Docker runs it. */
export function commandOf(text: string): string[] {
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : ['/bin/sh', '-c', text]
}

/** What ENV sets: `NAME=value` pairs without spaces in them. */
export function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/\s+/).map(pair => {
      const [name = '', ...value] = pair.split('=')
      if (value.length === 0 || /["'\\$]/.test(pair)) throw new Error(`ENV ${text}: written in a way that is not understood here`)
      return [name, value.join('=')]
    }),
  )
}
