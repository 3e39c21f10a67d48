/** Languages that the demo data is translated into. */
export type Language = 'fra' | 'deu' | 'jpn' | 'spa' | 'ara' | 'heb' | 'por';

type LineTexts = Readonly<Partial<Record<Language, string>>>;

export interface ScriptLine {
  readonly start: string;
  readonly stop: string;
  readonly texts: LineTexts;
}

export interface Script {
  readonly dialogue: readonly ScriptLine[];
  /** Titles on the screen. */
  readonly graphics: readonly ScriptLine[];
}

/** The lines of a translation in the form of a work request. */
export function translationLines(
  language: Language,
  script: readonly ScriptLine[],
  automatic: boolean,
) {
  return script
    .filter(({ texts }) => texts[language] !== undefined)
    .map(({ start, stop, texts }, index) => ({
      number: index + 1,
      text: texts[language],
      auto: automatic,
      custom: !automatic,
      machine: automatic,
      startTime: start,
      stopTime: stop,
      alignment: 'bottom',
      textAlign: 'center',
      split: '',
      merged: '',
      range: [seconds(start), seconds(stop)],
    }));
}

function seconds(timecode: string): number {
  const [hours = 0, minutes = 0, rest = 0] = timecode.replace(',', '.').split(':').map(Number);
  return hours * 3600 + minutes * 60 + rest;
}

function line(start: string, stop: string, texts: LineTexts): ScriptLine {
  return { start, stop, texts };
}

/** "The Harbor Light", trailer A. */
export const harborScript: Script = {
  dialogue: [
    line('00:00:03,200', '00:00:05,900', {
      fra: 'Mon père a gardé ce phare<br>pendant quarante ans.',
      deu: 'Mein Vater hat dieses Licht<br>vierzig Jahre lang gehütet.',
      jpn: '父は40年間<br>この灯を守り続けた',
      spa: 'Mi padre cuidó este faro<br>durante cuarenta años.',
      ara: 'حرس أبي هذه المنارة<br>أربعين عامًا.',
      heb: 'אבא שלי שמר על המגדלור<br>הזה ארבעים שנה.',
    }),
    line('00:00:06,400', '00:00:08,900', {
      fra: 'Il n’a jamais manqué une nuit.',
      deu: 'Er hat nie eine Nacht versäumt.',
      jpn: '一晩も欠かさずに',
      spa: 'No faltó ni una sola noche.',
      ara: 'لم يتغيّب ليلة واحدة.',
      heb: 'הוא לא החמיץ אף לילה.',
    }),
    line('00:00:11,000', '00:00:13,600', {
      fra: '<i>Mayday, mayday.<br>Ici l’Aurelia.</i>',
      deu: '<i>Mayday, Mayday.<br>Hier ist die Aurelia.</i>',
      jpn: '<i>メーデー メーデー<br>こちらアウレリア号</i>',
      spa: '<i>Mayday, mayday.<br>Aquí el Aurelia.</i>',
      ara: '<i>نداء استغاثة!<br>هنا السفينة أوريليا.</i>',
      heb: '<i>מיידיי, מיידיי.<br>כאן האאורליה.</i>',
    }),
    line('00:00:14,100', '00:00:16,300', {
      fra: 'Aucune carte ne montre d’Aurelia.',
      deu: 'Auf den Karten gibt es keine Aurelia.',
      jpn: 'そんな船は記録にない',
      spa: 'En las cartas no hay ningún Aurelia.',
      ara: 'لا وجود لأوريليا في السجلات.',
      heb: 'אין אאורליה ברשומות.',
    }),
    line('00:00:19,500', '00:00:22,300', {
      fra: 'Elle a sombré en 1951.<br>Corps et biens.',
      deu: 'Sie ist 1951 gesunken.<br>Mit Mann und Maus.',
      jpn: '1951年に沈んだ<br>乗員もろとも',
      spa: 'Se hundió en 1951.<br>Con toda la tripulación.',
      ara: 'غرقت عام 1951<br>بكل من عليها.',
      heb: 'היא טבעה ב-1951.<br>עם כל הצוות.',
    }),
    line('00:00:27,000', '00:00:29,400', {
      fra: 'Alors qui nous appelle ?',
      deu: 'Wer ruft uns dann?',
      jpn: 'なら誰が呼んでる？',
      spa: 'Entonces, ¿quién nos llama?',
      ara: 'فمن الذي ينادينا إذن؟',
      heb: 'אז מי קורא לנו?',
    }),
    line('00:00:34,800', '00:00:37,500', {
      fra: 'Quoi qu’il arrive,<br>ne la laisse pas s’éteindre.',
      deu: 'Was auch passiert,<br>lass es nicht dunkel werden.',
      jpn: '何があっても<br>灯を絶やすな',
      spa: 'Pase lo que pase,<br>no dejes que se apague.',
      ara: 'مهما حدث،<br>لا تدعها تنطفئ.',
      heb: 'מה שלא יקרה,<br>אל תיתני לו לכבות.',
    }),
    line('00:00:45,200', '00:00:47,900', {
      fra: '- Éteins-la !<br>- Je ne peux pas !',
      deu: '- Schalt es aus!<br>- Ich kann nicht!',
      jpn: '消して！<br>消せないんだ！',
      spa: '- ¡Apágalo!<br>- ¡No puedo!',
      ara: '- أطفئها!<br>- لا أستطيع!',
      heb: '- תכבי אותו!<br>- אני לא יכולה!',
    }),
    line('00:01:02,000', '00:01:04,600', {
      fra: '<i>Nous te voyons, Ana.</i>',
      deu: '<i>Wir sehen dich, Ana.</i>',
      jpn: '<i>見えているよ アナ</i>',
      spa: '<i>Te vemos, Ana.</i>',
      ara: '<i>نحن نراك يا آنا.</i>',
      heb: '<i>אנחנו רואים אותך, אנה.</i>',
    }),
    line('00:01:12,300', '00:01:15,400', {
      fra: 'Certaines lumières ne sont pas là<br>pour te ramener <b>chez toi</b>.',
      deu: 'Manche Lichter führen dich<br>nicht <b>nach Hause</b>.',
      jpn: '帰り道を照らす<br>光ばかりではない',
      spa: 'Hay luces que no están<br>para llevarte <b>a casa</b>.',
      ara: 'ليست كل الأضواء<br>لتهديك إلى <b>بيتك</b>.',
      heb: 'יש אורות שלא נועדו<br>להוביל אותך <b>הביתה</b>.',
    }),
  ],
  graphics: [
    line('00:00:24,000', '00:00:26,000', {
      fra: 'PAR LA RÉALISATRICE DE « SEL »',
      deu: 'VON DER REGISSEURIN VON „SALZ“',
      jpn: '『ソルト』の監督が贈る',
      spa: 'DE LA DIRECTORA DE «SAL»',
      ara: 'من مخرجة فيلم «ملح»',
      heb: 'מהבמאית של "מלח"',
    }),
    line('00:00:50,000', '00:00:52,000', {
      fra: 'CET HIVER',
      deu: 'DIESEN WINTER',
      jpn: 'この冬',
      spa: 'ESTE INVIERNO',
      ara: 'هذا الشتاء',
      heb: 'החורף הזה',
    }),
    line('00:01:17,000', '00:01:20,000', {
      fra: 'UNIQUEMENT AU CINÉMA',
      deu: 'NUR IM KINO',
      jpn: '劇場限定公開',
      spa: 'SOLO EN CINES',
      ara: 'في دور السينما فقط',
      heb: 'רק בבתי הקולנוע',
    }),
  ],
};

/** "狐の嫁入り", trailer. */
export const foxScript: Script = {
  dialogue: [
    line('00:00:04,000', '00:00:06,800', {
      fra: 'Quand il pleut sous le soleil,<br>une renarde se marie.',
      por: 'Quando chove com sol,<br>uma raposa se casa.',
    }),
    line('00:00:08,200', '00:00:10,600', {
      fra: 'Il ne faut pas regarder.',
      por: 'Não se deve olhar.',
    }),
    line('00:00:15,000', '00:00:17,400', {
      fra: '<i>Mais j’ai regardé.</i>',
      por: '<i>Mas eu olhei.</i>',
    }),
    line('00:00:22,500', '00:00:25,300', {
      fra: 'Rends-nous la lanterne,<br>petite humaine.',
      por: 'Devolva a lanterna,<br>pequena humana.',
    }),
    line('00:00:31,000', '00:00:33,800', {
      fra: 'Alors tu danseras avec nous.',
      por: 'Então você dançará conosco.',
    }),
  ],
  graphics: [
    line('00:00:27,000', '00:00:29,500', {
      fra: 'UN FILM DE YUKI MORI',
      por: 'UM FILME DE YUKI MORI',
    }),
    line('00:00:36,000', '00:00:39,000', { fra: 'AU PRINTEMPS', por: 'NA PRIMAVERA' }),
  ],
};

/**
 * "Le Café des Âmes", trailer. It has mistakes on purpose, for the subtitle checks to find: an
 * overlap, an empty line, a line that is too long and one that is too short to read.
 */
export const cafeScript: Script = {
  dialogue: [
    line('00:00:02,000', '00:00:04,600', { spa: '¿Lo de siempre?' }),
    line('00:00:04,200', '00:00:06,900', { spa: '<i>Lo de siempre ya no existe.</i>' }),
    line('00:00:09,000', '00:00:11,000', { spa: '' }),
    line('00:00:13,000', '00:00:13,400', {
      spa: 'Aquí vienen los que todavía no se han despedido.',
    }),
    line('00:00:16,000', '00:00:20,500', {
      spa: 'Y cada noche, cuando cierro la puerta, alguien se queda dentro mirando la lluvia.',
    }),
  ],
  graphics: [line('00:00:23,000', '00:00:25,500', { spa: 'ABIERTO HASTA EL AMANECER' })],
};

export const emptyScript: Script = { dialogue: [], graphics: [] };
