// The shared part of the builds of dist/: Vite without configuration files, and the modules that it has read.

import type { Plugin } from 'vite'

export const ownConfiguration = (root: string) => ({ root, configFile: false, envDir: false, publicDir: false, logLevel: 'warn' }) as const

/** Adds the paths of all modules of the build to `modules`. */
export const collect = (modules: string[]): Plugin => ({
  name: 'modules',
  generateBundle() {
    modules.push(...this.getModuleIds())
  },
})
