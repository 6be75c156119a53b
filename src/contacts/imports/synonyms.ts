// Headers of programs and languages that the values of a field stand under.

import type { ContactFields } from '../contact/row.ts'

const words = (text: string) => text.trim().split(/\s+/)

/**
 * Headers of CRMs, address books and spreadsheets, without spaces, signs and accents. Where a file has several for one field, the first one
 * here is taken that has values; the name of the field itself comes before all of them.
 */
export const synonyms: Partial<Record<keyof ContactFields, readonly string[]>> = {
  email: words(`
    emailaddress emailaddresses primaryemail workemail emailwork businessemail email1 email1value email1address mail mailaddress emailprimary
    personemail personemailwork contactemail emailhome personalemail personemailhome personemailother emailother email2address email2value
    emailadresse mailadresse epost epostadress epostadresse epostaddress sahkoposti courriel adresseemail adressemail adresseelectronique
    correo correoelectronico direcciondecorreo direcciondecorreoelectronico indirizzoemail indirizzodipostaelettronica emailadres
    enderecodeemail adresemail adresyemail emailcim emailova emailovaadresa adresadeemail eposta почта электроннаяпочта емэил メールアドレス
    メール eメール 邮箱 电子邮件 电子邮箱 電子郵件 이메일 이메일주소
  `),
  firstName: words(`
    first givenname forename contactfirstname personfirstname fname vorname prenom nombre nome voornaam imie fornamn fornavn etunimi jmeno
    keresztnev prenume имя 名 名前 名字 이름
  `),
  lastName: words(`
    last surname familyname contactlastname personlastname lname nachname familienname nom nomdefamille apellido apellidos cognome achternaam
    nazwisko efternamn etternavn efternavn sukunimi prijmeni vezeteknev numedefamilie sobrenome apelido soyad soyadi фамилия 姓 姓氏 성
  `),
  fullName: words(`
    name contactname personname displayname contact fileas anzeigename vollstandigername nomcomplet nombrecompleto nomecompleto namn navn nimi
    imieinazwisko фио 氏名 姓名 성명
  `),
  phone: words(`
    phonenumber phonenumbers telephone telephonenumber tel phone1value phone1 primaryphone personphone contactphone workphone phonework
    businessphone personphonework companymainphone mobile mobilephone mobilephonenumber cell cellphone phonemobile personphonemobile homephone
    phonehome personphonehome personphoneother workdirectphone corporatephone otherphone businessphone2 phone2value telefon telefonnummer
    telefongeschaftlich handy mobil mobiltelefon mobilnummer handynummer telefonprivat rufnummer telefono telefone telefoonnummer telefoon
    telephoneprofessionnel telephoneportable portable numerodetelephone movil celular cellulare numertelefonu telefonszam puhelin puhelinnumero
    телефон 電話番号 電話 电话 手机 電話號碼 전화 전화번호 휴대폰
  `),
  jobTitle: words(`
    title position role jobposition personjobtitle organizationtitle organization1title berufsbezeichnung poste fonction funktion funktionsbezeichnung
    cargo puesto qualifica ruolo functie stanowisko befattning titel stilling должность 役職 職位 职位 직책 직함
  `),
  companyName: words(`
    company organization organisation organizationname organization1name personorganization account accountname associatedcompany
    primarycompany currentcompany employer firma unternehmen firmenname entreprise societe empresa azienda societa bedrijf bedrijfsnaam
    foretag virksomhed selskap yritys spolecnost ceg компания организация 会社名 会社 公司 公司名称 회사 회사명
  `),
  companyDomain: words(`
    domain domains companydomainname website companywebsite companyurl websiteurl webpage website1value urlhomepage urlwork webseite homepage
    internetseite siteweb sitioweb paginaweb sitoweb sitointernet site stronawww webbplats nettsted сайт url
  `),
  linkedinUrl: words(`
    linkedin linkedinprofile linkedinprofileurl personlinkedinurl linkedinbio linkedinid profileurl profile url website1value website webpage
  `),
  city: words(`
    town businesscity mailingcity address1city primarylocationcity workcity homecity ort stadt wohnort ortgeschaftlich ville ciudad citta cidade
    plaats woonplaats miasto stad kaupunki mesto varos город 市 城市 도시
  `),
  region: words(`
    state province stateregion stateprovince businessstate mailingstate mailingstateprovince address1region primarylocationstate homestate
    bundesland regiongeschaftlich provincia provincie wojewodztwo 都道府県 省 州
  `),
  country: words(`
    countrycode countryregion businesscountryregion businesscountry mailingcountry address1country primarylocationcountry workcountry
    homecountryregion homecountry cc land landregiongeschaftlich landregion pays pais paese kraj maa zeme orszag tara ulke страна 国 国家 国・地域 국가
  `),
  timezone: words('tz zeitzone fuseauhoraire zonahoraria'),
  avatarUrl: words('avatar photo picture profilepicture foto'),
  lifecycleStage: words('stage lifecycle leadstatus status contactstage'),
  ownerUserId: words(`
    owner ownerid contactowner personowner recordowner leadowner accountowner assignedto eigentumer zustandig betreuer inhaber kontaktinhaber
    proprietaire propietario
  `),
  tags: words(`
    tag labels label categories category groups groupmembership personlabels personlabel kategorien kategorie schlagworte schlagworter etiquetas
    etiquettes categorie categorias tagi etykiety
  `),
  doNotCall: words('dnc donotcontact dontcall nichtanrufen'),
  externalId: words('recordid contactid personid leadid crmid customerid kundennummer kundennr kundenid'),
  lastContactedAt: words(`
    lastcontacted lastcontact lastactivity lastactivitydate lastactivitytime lastinteraction lastinteractionwhen letzterkontakt
    letzteaktivitat
  `),
}
