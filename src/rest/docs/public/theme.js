// Follows the system's color scheme. Swagger UI's dark styles need a class, set before the first paint and when the system changes.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyTheme)
applyTheme()
