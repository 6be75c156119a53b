// The nonce of this page's Content-Security-Policy. Browsers hide the attribute, but the property is readable.

export const pageNonce: string = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
