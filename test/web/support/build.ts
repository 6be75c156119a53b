// Before the stories: builds the web app that they open.

import { execFileSync } from 'node:child_process'
import { projectRoot } from '../../crash/server.ts'

export default function setup(): void {
  execFileSync(process.execPath, ['src/main.ts', 'build'], { cwd: projectRoot, stdio: 'inherit' })
}
