import type { Script } from './script.ts';

/** "The Harbor Light", trailer A. */
export const harborScript: Script = {
  dialogue: [
    {
      start: '00:00:03,200',
      stop: '00:00:05,900',
      texts: {
        fra: 'Mon père a gardé ce phare<br>pendant quarante ans.',
        deu: 'Mein Vater hat dieses Licht<br>vierzig Jahre lang gehütet.',
        jpn: '父は40年間<br>この灯を守り続けた',
        spa: 'Mi padre cuidó este faro<br>durante cuarenta años.',
        ara: 'حرس أبي هذه المنارة<br>أربعين عامًا.',
        heb: 'אבא שלי שמר על המגדלור<br>הזה ארבעים שנה.',
      },
    },
    {
      start: '00:00:06,400',
      stop: '00:00:08,900',
      texts: {
        fra: 'Il n’a jamais manqué une nuit.',
        deu: 'Er hat nie eine Nacht versäumt.',
        jpn: '一晩も欠かさずに',
        spa: 'No faltó ni una sola noche.',
        ara: 'لم يتغيّب ليلة واحدة.',
        heb: 'הוא לא החמיץ אף לילה.',
      },
    },
    {
      start: '00:00:11,000',
      stop: '00:00:13,600',
      texts: {
        fra: '<i>Mayday, mayday.<br>Ici l’Aurelia.</i>',
        deu: '<i>Mayday, Mayday.<br>Hier ist die Aurelia.</i>',
        jpn: '<i>メーデー メーデー<br>こちらアウレリア号</i>',
        spa: '<i>Mayday, mayday.<br>Aquí el Aurelia.</i>',
        ara: '<i>نداء استغاثة!<br>هنا السفينة أوريليا.</i>',
        heb: '<i>מיידיי, מיידיי.<br>כאן האאורליה.</i>',
      },
    },
    {
      start: '00:00:14,100',
      stop: '00:00:16,300',
      texts: {
        fra: 'Aucune carte ne montre d’Aurelia.',
        deu: 'Auf den Karten gibt es keine Aurelia.',
        jpn: 'そんな船は記録にない',
        spa: 'En las cartas no hay ningún Aurelia.',
        ara: 'لا وجود لأوريليا في السجلات.',
        heb: 'אין אאורליה ברשומות.',
      },
    },
    {
      start: '00:00:19,500',
      stop: '00:00:22,300',
      texts: {
        fra: 'Elle a sombré en 1951.<br>Corps et biens.',
        deu: 'Sie ist 1951 gesunken.<br>Mit Mann und Maus.',
        jpn: '1951年に沈んだ<br>乗員もろとも',
        spa: 'Se hundió en 1951.<br>Con toda la tripulación.',
        ara: 'غرقت عام 1951<br>بكل من عليها.',
        heb: 'היא טבעה ב-1951.<br>עם כל הצוות.',
      },
    },
    {
      start: '00:00:27,000',
      stop: '00:00:29,400',
      texts: {
        fra: 'Alors qui nous appelle ?',
        deu: 'Wer ruft uns dann?',
        jpn: 'なら誰が呼んでる？',
        spa: 'Entonces, ¿quién nos llama?',
        ara: 'فمن الذي ينادينا إذن؟',
        heb: 'אז מי קורא לנו?',
      },
    },
    {
      start: '00:00:34,800',
      stop: '00:00:37,500',
      texts: {
        fra: 'Quoi qu’il arrive,<br>ne la laisse pas s’éteindre.',
        deu: 'Was auch passiert,<br>lass es nicht dunkel werden.',
        jpn: '何があっても<br>灯を絶やすな',
        spa: 'Pase lo que pase,<br>no dejes que se apague.',
        ara: 'مهما حدث،<br>لا تدعها تنطفئ.',
        heb: 'מה שלא יקרה,<br>אל תיתני לו לכבות.',
      },
    },
    {
      start: '00:00:45,200',
      stop: '00:00:47,900',
      texts: {
        fra: '- Éteins-la !<br>- Je ne peux pas !',
        deu: '- Schalt es aus!<br>- Ich kann nicht!',
        jpn: '消して！<br>消せないんだ！',
        spa: '- ¡Apágalo!<br>- ¡No puedo!',
        ara: '- أطفئها!<br>- لا أستطيع!',
        heb: '- תכבי אותו!<br>- אני לא יכולה!',
      },
    },
    {
      start: '00:01:02,000',
      stop: '00:01:04,600',
      texts: {
        fra: '<i>Nous te voyons, Ana.</i>',
        deu: '<i>Wir sehen dich, Ana.</i>',
        jpn: '<i>見えているよ アナ</i>',
        spa: '<i>Te vemos, Ana.</i>',
        ara: '<i>نحن نراك يا آنا.</i>',
        heb: '<i>אנחנו רואים אותך, אנה.</i>',
      },
    },
    {
      start: '00:01:12,300',
      stop: '00:01:15,400',
      texts: {
        fra: 'Certaines lumières ne sont pas là<br>pour te ramener <b>chez toi</b>.',
        deu: 'Manche Lichter führen dich<br>nicht <b>nach Hause</b>.',
        jpn: '帰り道を照らす<br>光ばかりではない',
        spa: 'Hay luces que no están<br>para llevarte <b>a casa</b>.',
        ara: 'ليست كل الأضواء<br>لتهديك إلى <b>بيتك</b>.',
        heb: 'יש אורות שלא נועדו<br>להוביל אותך <b>הביתה</b>.',
      },
    },
  ],
  graphics: [
    {
      start: '00:00:24,000',
      stop: '00:00:26,000',
      texts: {
        fra: 'PAR LA RÉALISATRICE DE « SEL »',
        deu: 'VON DER REGISSEURIN VON „SALZ“',
        jpn: '『ソルト』の監督が贈る',
        spa: 'DE LA DIRECTORA DE «SAL»',
        ara: 'من مخرجة فيلم «ملح»',
        heb: 'מהבמאית של "מלח"',
      },
    },
    {
      start: '00:00:50,000',
      stop: '00:00:52,000',
      texts: {
        fra: 'CET HIVER',
        deu: 'DIESEN WINTER',
        jpn: 'この冬',
        spa: 'ESTE INVIERNO',
        ara: 'هذا الشتاء',
        heb: 'החורף הזה',
      },
    },
    {
      start: '00:01:17,000',
      stop: '00:01:20,000',
      texts: {
        fra: 'UNIQUEMENT AU CINÉMA',
        deu: 'NUR IM KINO',
        jpn: '劇場限定公開',
        spa: 'SOLO EN CINES',
        ara: 'في دور السينما فقط',
        heb: 'רק בבתי הקולנוע',
      },
    },
  ],
};
