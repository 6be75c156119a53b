// Domains of public mail providers, which do not identify a company.

const domains =
  '126.com 139.com 163.com 189.cn aim.com aliyun.com aol.com aol.de arcor.de att.net bellsouth.net bigpond.com blueyonder.co.uk bluewin.ch bol.com.br ' +
  'btinternet.com centrum.cz charter.net comcast.net cox.net daum.net duck.com earthlink.net email.cz email.de email.it fastmail.com fastmail.fm foxmail.com ' +
  'free.fr freemail.hu freenet.de frontier.com gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com home.nl hotmail.be ' +
  'hotmail.co.uk hotmail.com hotmail.com.br hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hushmail.com icloud.com ig.com.br inbox.com inbox.lv ' +
  'inbox.ru indiatimes.com interia.pl juno.com keemail.me kpnmail.nl laposte.net libero.it list.ru live.ca live.co.uk live.com live.com.au live.de live.fr ' +
  'live.it live.nl lycos.com mac.com mail.com mail.de mail.ee mail.ru mailbox.org mailfence.com me.com msn.com naver.com neuf.fr ntlworld.com o2.pl ' +
  'online.de online.no onet.pl optonline.net optusnet.com.au orange.fr outlook.com outlook.de outlook.es outlook.fr outlook.it planet.nl pm.me posteo.de ' +
  'proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com rogers.com runbox.com sapo.pt sbcglobal.net seznam.cz sfr.fr ' +
  'shaw.ca sina.com sky.com skynet.be sohu.com startmail.com sympatico.ca t-online.de talktalk.net telenet.be telia.com telus.net terra.com.br tin.it ' +
  'tiscali.it tuta.com tuta.io tutanota.com tutanota.de ukr.net uol.com.br verizon.net virgilio.it virgin.net virginmedia.com vodafone.de walla.com wanadoo.fr ' +
  'web.de wp.pl xtra.co.nz ya.ru yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.au yahoo.com.br yahoo.com.mx yahoo.de yahoo.es yahoo.fr ' +
  'yahoo.in yahoo.it yandex.com yandex.ru yeah.net ymail.com zoho.com ziggo.nl'

const known: ReadonlySet<string> = new Set(domains.split(' '))

export const isFreeMail = (domain: string): boolean => known.has(domain.toLowerCase())

/** Domains that are suggested for mistyped ones. */
export const commonMail = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'aol.com',
  'gmx.de',
  'web.de',
  'protonmail.com',
]
