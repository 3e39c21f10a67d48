type Language = 'fra' | 'deu' | 'jpn' | 'spa' | 'ara' | 'heb' | 'por';

interface Subtitles extends Partial<Record<Language, readonly string[]>> {
  /** Start and stop of each line, in seconds. */
  readonly times: readonly number[];
}

/** Graphics are titles on the screen. */
export type Part = 'dialogue' | 'graphics';

export const translationLines = ({ times, ...texts }: Subtitles, language: Language) =>
  (texts[language] ?? []).map((text, index) => {
    const range = times.slice(2 * index, 2 * index + 2);
    const [startTime, stopTime] = range.map(timecode);
    return {
      number: index + 1,
      text,
      auto: false,
      custom: true,
      machine: false,
      startTime,
      stopTime,
      alignment: 'bottom',
      textAlign: 'center',
      split: '',
      merged: '',
      range,
    };
  });

const timecode = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',');

/** The trailers, by project. */
export const scripts: Readonly<Record<string, Record<Part, Subtitles>>> = {
  'p-harbor': {
    dialogue: {
      times: [
        3.2, 5.9, 6.4, 8.9, 11, 13.6, 14.1, 16.3, 19.5, 22.3, 27, 29.4, 34.8, 37.5, 45.2, 47.9, 62,
        64.6, 72.3, 75.4,
      ],
      fra: [
        'Mon père a gardé ce phare<br>pendant quarante ans.',
        'Il n’a jamais manqué une nuit.',
        '<i>Mayday, mayday.<br>Ici l’Aurelia.</i>',
        'Aucune carte ne montre d’Aurelia.',
        'Elle a sombré en 1951.<br>Corps et biens.',
        'Alors qui nous appelle ?',
        'Quoi qu’il arrive,<br>ne la laisse pas s’éteindre.',
        '- Éteins-la !<br>- Je ne peux pas !',
        '<i>Nous te voyons, Ana.</i>',
        'Certaines lumières ne sont pas là<br>pour te ramener <b>chez toi</b>.',
      ],
      deu: [
        'Mein Vater hat dieses Licht<br>vierzig Jahre lang gehütet.',
        'Er hat nie eine Nacht versäumt.',
        '<i>Mayday, Mayday.<br>Hier ist die Aurelia.</i>',
        'Auf den Karten gibt es keine Aurelia.',
        'Sie ist 1951 gesunken.<br>Mit Mann und Maus.',
        'Wer ruft uns dann?',
        'Was auch passiert,<br>lass es nicht dunkel werden.',
        '- Schalt es aus!<br>- Ich kann nicht!',
        '<i>Wir sehen dich, Ana.</i>',
        'Manche Lichter führen dich<br>nicht <b>nach Hause</b>.',
      ],
      jpn: [
        '父は40年間<br>この灯を守り続けた',
        '一晩も欠かさずに',
        '<i>メーデー メーデー<br>こちらアウレリア号</i>',
        'そんな船は記録にない',
        '1951年に沈んだ<br>乗員もろとも',
        'なら誰が呼んでる？',
        '何があっても<br>灯を絶やすな',
        '消して！<br>消せないんだ！',
        '<i>見えているよ アナ</i>',
        '帰り道を照らす<br>光ばかりではない',
      ],
      spa: [
        'Mi padre cuidó este faro<br>durante cuarenta años.',
        'No faltó ni una sola noche.',
        '<i>Mayday, mayday.<br>Aquí el Aurelia.</i>',
        'En las cartas no hay ningún Aurelia.',
        'Se hundió en 1951.<br>Con toda la tripulación.',
        'Entonces, ¿quién nos llama?',
        'Pase lo que pase,<br>no dejes que se apague.',
        '- ¡Apágalo!<br>- ¡No puedo!',
        '<i>Te vemos, Ana.</i>',
        'Hay luces que no están<br>para llevarte <b>a casa</b>.',
      ],
      ara: [
        'حرس أبي هذه المنارة<br>أربعين عامًا.',
        'لم يتغيّب ليلة واحدة.',
        '<i>نداء استغاثة!<br>هنا السفينة أوريليا.</i>',
        'لا وجود لأوريليا في السجلات.',
        'غرقت عام 1951<br>بكل من عليها.',
        'فمن الذي ينادينا إذن؟',
        'مهما حدث،<br>لا تدعها تنطفئ.',
        '- أطفئها!<br>- لا أستطيع!',
        '<i>نحن نراك يا آنا.</i>',
        'ليست كل الأضواء<br>لتهديك إلى <b>بيتك</b>.',
      ],
      heb: [
        'אבא שלי שמר על המגדלור<br>הזה ארבעים שנה.',
        'הוא לא החמיץ אף לילה.',
        '<i>מיידיי, מיידיי.<br>כאן האאורליה.</i>',
        'אין אאורליה ברשומות.',
        'היא טבעה ב-1951.<br>עם כל הצוות.',
        'אז מי קורא לנו?',
        'מה שלא יקרה,<br>אל תיתני לו לכבות.',
        '- תכבי אותו!<br>- אני לא יכולה!',
        '<i>אנחנו רואים אותך, אנה.</i>',
        'יש אורות שלא נועדו<br>להוביל אותך <b>הביתה</b>.',
      ],
    },
    graphics: {
      times: [24, 26, 50, 52, 77, 80],
      fra: ['PAR LA RÉALISATRICE DE « SEL »', 'CET HIVER', 'UNIQUEMENT AU CINÉMA'],
      deu: ['VON DER REGISSEURIN VON „SALZ“', 'DIESEN WINTER', 'NUR IM KINO'],
      jpn: ['『ソルト』の監督が贈る', 'この冬', '劇場限定公開'],
      spa: ['DE LA DIRECTORA DE «SAL»', 'ESTE INVIERNO', 'SOLO EN CINES'],
      ara: ['من مخرجة فيلم «ملح»', 'هذا الشتاء', 'في دور السينما فقط'],
      heb: ['מהבמאית של "מלח"', 'החורף הזה', 'רק בבתי הקולנוע'],
    },
  },
  'p-fox': {
    dialogue: {
      times: [4, 6.8, 8.2, 10.6, 15, 17.4, 22.5, 25.3, 31, 33.8],
      fra: [
        'Quand il pleut sous le soleil,<br>une renarde se marie.',
        'Il ne faut pas regarder.',
        '<i>Mais j’ai regardé.</i>',
        'Rends-nous la lanterne,<br>petite humaine.',
        'Alors tu danseras avec nous.',
      ],
      por: [
        'Quando chove com sol,<br>uma raposa se casa.',
        'Não se deve olhar.',
        '<i>Mas eu olhei.</i>',
        'Devolva a lanterna,<br>pequena humana.',
        'Então você dançará conosco.',
      ],
    },
    graphics: {
      times: [27, 29.5, 36, 39],
      fra: ['UN FILM DE YUKI MORI', 'AU PRINTEMPS'],
      por: ['UM FILME DE YUKI MORI', 'NA PRIMAVERA'],
    },
  },
  // Mistakes for the subtitle checks to find: an overlap, an empty line, a line that is too long and
  // one that is too short to read.
  'p-cafe': {
    dialogue: {
      times: [2, 4.6, 4.2, 6.9, 9, 11, 13, 13.4, 16, 20.5],
      spa: [
        '¿Lo de siempre?',
        '<i>Lo de siempre ya no existe.</i>',
        '',
        'Aquí vienen los que todavía no se han despedido.',
        'Y cada noche, cuando cierro la puerta, alguien se queda dentro mirando la lluvia.',
      ],
    },
    graphics: { times: [23, 25.5], spa: ['ABIERTO HASTA EL AMANECER'] },
  },
  'p-rocket': { dialogue: { times: [] }, graphics: { times: [] } },
};
