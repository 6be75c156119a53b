// Light or dark as the system is. Swagger UI's dark styles want a class; set before the page is painted, and again when the system changes.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
