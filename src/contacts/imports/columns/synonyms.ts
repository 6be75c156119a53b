// Headers of programs and languages that the values of a field stand under.

import type { ContactFields } from '../../contact/row.ts'

const words = (text: string) => text.trim().split(/\s+/)

/**
 * Headers of CRMs, address books and spreadsheets, without spaces, signs and accents. Where a file has several for one field, the first one
 * here is taken that has values; the name of the field itself comes before all of them.
 */
export const synonyms: Partial<Record<keyof ContactFields, readonly string[]>> = {
  email: words(`
    emailaddress emailaddresses primaryemail workemail emailwork businessemail email1 email1value email1address mail mailaddress
    emailprimary personemail personemailwork contactemail emailhome personalemail personemailhome personemailother emailother
    email2address email2value emailadresse mailadresse epost epostadress epostadresse epostaddress sahkoposti courriel adresseemail
    adressemail adresseelectronique correo correoelectronico direcciondecorreo direcciondecorreoelectronico indirizzoemail
    indirizzodipostaelettronica emailadres enderecodeemail adresemail adresyemail emailcim emailova emailovaadresa adresadeemail eposta
    почта электроннаяпочта емэил メールアドレス メール eメール 邮箱 电子邮件 电子邮箱 電子郵件 이메일 이메일주소 emails email2 email3 emailaddress1 primaryemailaddress workemailaddress
    email1type1value emailprofessionnel courrielprofessionnel adressedemessagerie indirizzopostaelettronica mailadres emailsluzbowy
    epostaadresi рабочийemail електроннапошта елпошта البريدالإلكتروني البريدالالكتروني الإيميل דואראלקטרוני דואל אימייל อีเมล อีเมล์
    diachiemail thudientu 邮件 邮箱地址 电邮
  `),
  firstName: words(`
    first givenname forename contactfirstname personfirstname fname vorname prenom nombre nome voornaam imie fornamn fornavn etunimi jmeno
    keresztnev prenume имя 名 名前 名字 이름 meno ime vardas vards eesnimi isim adı ad ten namadepan prenoms nombres imja імя الاسمالأول שםפרטי
    ονομα ชื่อ nombredepila
  `),
  lastName: words(`
    last surname familyname contactlastname personlastname lname nachname familienname nom nomdefamille apellido apellidos cognome
    achternaam nazwisko efternamn etternavn efternavn sukunimi prijmeni vezeteknev numedefamilie sobrenome apelido soyad soyadi фамилия 姓
    姓氏 성 soyadı soyisim priezvisko prezime priimek pavarde uzvards perekonnanimi namabelakang ho прізвище اسمالعائلة شهرة שםמשפחה επωνυμο
    επιθετο นามสกุล
  `),
  fullName: words(`
    name contactname personname displayname contact fileas anzeigename vollstandigername nomcomplet nombrecompleto nomecompleto namn navn
    nimi imieinazwisko фио 氏名 姓名 성명 leadname completename contactfullname volledigenaam naam adsoyad adısoyadı isimsoyisim jmenoaprijmeni
    menoapriezvisko nev teljesnev namalengkap nama hovaten имяифамилия пиб піб повнеімя الاسم الاسمالكامل שם שםמלא ονοματεπωνυμο
    ชื่อนามสกุล お名前 担当者名 联系人 联系人姓名 客户姓名
  `),
  phone: words(`
    phonenumber phonenumbers phones telephone telephonenumber tel phone1value phone1 primaryphone personphone contactphone workphone phonework
    businessphone personphonework companymainphone mobile mobilephone mobilephonenumber cell cellphone phonemobile personphonemobile
    homephone phonehome personphonehome personphoneother workdirectphone corporatephone otherphone businessphone2 phone2value telefon
    telefonnummer telefongeschaftlich handy mobil mobiltelefon mobilnummer handynummer telefonprivat rufnummer telefono telefone
    telefoonnummer telefoon telephoneprofessionnel telephoneportable portable numerodetelephone movil celular cellulare numertelefonu
    telefonszam puhelin puhelinnumero телефон 電話番号 電話 电话 手机 電話號碼 전화 전화번호 휴대폰 telephone1 mobilenumber workphonenumber businessphonenumber
    directphone directdial directline work whatsapp whatsappnumber tlf telefonnr telnr gsm telmobile telephonebureau telefonodeltrabajo
    telefonomovil telefoonopwerk mobieletelefoon mobielnummer telefonecomercial telefonecelular telefonsluzbowy telefonkomorkowy komorka
    matkapuhelin mobilnitelefon telefonmobil telefonarbeit ceptelefonu istelefonu telefonu telefonnumarası nohp nomorhp nomortelepon
    sodienthoai dienthoai didong рабочийтелефон мобильныйтелефон мобильный номертелефона мобільнийтелефон номертелефону الهاتف رقمالهاتف
    الجوال رقمالجوال الموبايل טלפון טלפוןנייד נייד τηλεφωνο κινητο κινητοτηλεφωνο โทรศัพท์ เบอร์โทรศัพท์ เบอร์โทร มือถือ 携帯電話 携帯番号 携帯
    tel会社 手机号 手机号码 联系电话 移动电话 座机 固定电话 휴대전화
  `),
  jobTitle: words(`
    title position role jobposition personjobtitle organizationtitle organization1title berufsbezeichnung poste fonction funktion
    funktionsbezeichnung cargo puesto qualifica ruolo functie stanowisko befattning titel stilling должность 役職 職位 职位 직책 직함 function
    posizione unvan gorev pozisyon beosztas pracovnipozice pozice pozicia tehtavanimike titteli chucvu chucdanh посада المسمىالوظيفي
    الوظيفة תפקיד θεση ตำแหน่ง 职务 职称
  `),
  companyName: words(`
    company organization organisation organizationname organization1name personorganization account accountname associatedcompany
    primarycompany currentcompany employer firma unternehmen firmenname entreprise societe empresa azienda societa bedrijf bedrijfsnaam
    foretag virksomhed selskap yritys spolecnost ceg компания организация 会社名 会社 公司 公司名称 회사 회사명 accounts relatedcompany parentcustomer
    organisatie organizacion organizacao organizzazione organizacja sirket sirketadı firmaadı tvrtka podjetje ettevote imone
    uznemums congty tencongty компанія організація الشركة اسمالشركة חברה שםחברה εταιρεια εταιρια บริษัท 勤務先 单位 公司名 企业
  `),
  companyDomain: words(`
    domain domains companydomainname website companywebsite companyurl websiteurl webpage website1value urlhomepage urlwork webseite
    homepage internetseite siteweb sitioweb paginaweb sitoweb sitointernet site stronawww webbplats nettsted сайт url webpage1 webbsida
    webovastranka الموقع אתר вебсайт ウェブサイト 网站 网址 웹사이트
  `),
  linkedinUrl: words(`
    linkedin linkedinprofile linkedinprofileurl personlinkedinurl linkedinbio linkedinid profileurl profile url website1value website webpage
  `),
  city: words(`
    town businesscity mailingcity address1city primarylocationcity workcity homecity ort stadt wohnort ortgeschaftlich ville ciudad citta
    cidade plaats woonplaats miasto stad kaupunki mesto varos город 市 城市 도시 locality addresscity billingcity villebureau cittauff localita
    comune ciudaddeltrabajo cidadecomercial plaatswerk adressluzbowymiejscowosc miejscowosc by sehir grad linn miestas pilseta kota
    thanhpho місто المدينة עיר πολη เมือง 市区町村 市区
  `),
  region: words(`
    state province stateregion stateprovince businessstate mailingstate mailingstateprovince address1region primarylocationstate homestate
    bundesland regiongeschaftlich provincia provincie wojewodztwo 都道府県 省 州 address1stateprovince addressstate billingstate county
    prefecture kanton canton depregionbureau departement provinciauff provinciaoestadodeltrabajo estadocomercial uf provinciewerk eyalet
    tinh область регион المنطقة 省份
  `),
  country: words(`
    countrycode countryregion businesscountryregion businesscountry mailingcountry address1country primarylocationcountry workcountry
    homecountryregion homecountry cc land landregiongeschaftlich landregion pays pais paese kraj maa zeme orszag tara ulke страна 国 国家
    国・地域 국가 address1countryregion addresscountry billingcountry countryname paysregionbureau paysregion paisoregiondeltrabajo paisregion
    paisregiaodaempresa paeseuff landregiowerk landregio adressluzbowykrajregion krajregion krajina drzava riik salis valsts negara
    quocgia країна الدولة البلد מדינה ארץ χωρα ประเทศ 国别
  `),
  timezone: words(`
    tz zeitzone fuseauhoraire zonahoraria часовойпояс タイムゾーン
  `),
  avatarUrl: words('avatar photo picture profilepicture foto'),
  lifecycleStage: words('stage lifecycle leadstatus status contactstage'),
  ownerUserId: words(`
    owner ownerid contactowner personowner recordowner leadowner accountowner assignedto eigentumer zustandig betreuer inhaber
    kontaktinhaber proprietaire propietario salesowner salesperson ownedby salesrep salesrepresentative accountmanager responsable
    responsavel vendedor eigenaar opiekun ответственный відповідальний 负责人 所有者 営業担当 담당자
  `),
  tags: words(`
    tag labels label categories category groups groupmembership personlabels personlabel kategorien kategorie schlagworte schlagworter
    etiquetas etiquettes categorie categorias tagi etykiety taglist lists categorieen kategorier etiket etiketler теги метки תגיות תוויות
    标签 タグ ラベル 태그
  `),
  doNotCall: words(`
    dnc donotcontact dontcall nichtanrufen donotallowphonecalls donotphone donotdisturb phoneoptout calloptout nepasappeler
  `),
  externalId: words(`
    recordid contactid personid leadid crmid customerid kundennummer kundennr kundenid recordidcontact hsobjectid copperid apollocontactid
    kontaktid klantnummer kundenummer customernumber id
  `),
  lastContactedAt: words(`
    lastcontacted lastcontact lastactivity lastactivitydate lastactivitytime lastinteraction lastinteractionwhen letzterkontakt
    letzteaktivitat lastcontactedtime lastcontactdate noteslastcontacted lastactivityat derniercontact ultimocontacto ultimocontatto
    laatstecontact
  `),
}
