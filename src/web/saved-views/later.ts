// Loads the menus and forms of saved views. Bundled with the lists, which name most of the same chunks: their names weigh more than this.

import { loadPart } from '../app/loaded.ts'

export const loadMenus = () => loadPart(() => import('./menus.ts'))
export const loadForm = () => loadPart(() => import('./save.tsx'))
export const loadBeside = () => loadPart(() => import('./beside.tsx'))
export const loadGoneFields = () => loadPart(() => import('./gone-fields.tsx'))
