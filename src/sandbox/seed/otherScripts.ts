import type { Script } from './script.ts';

/** "狐の嫁入り", trailer: its source is Japanese. */
export const foxScript: Script = {
  dialogue: [
    {
      start: '00:00:04,000',
      stop: '00:00:06,800',
      texts: {
        fra: 'Quand il pleut sous le soleil,<br>une renarde se marie.',
        por: 'Quando chove com sol,<br>uma raposa se casa.',
      },
    },
    {
      start: '00:00:08,200',
      stop: '00:00:10,600',
      texts: { fra: 'Il ne faut pas regarder.', por: 'Não se deve olhar.' },
    },
    {
      start: '00:00:15,000',
      stop: '00:00:17,400',
      texts: { fra: '<i>Mais j’ai regardé.</i>', por: '<i>Mas eu olhei.</i>' },
    },
    {
      start: '00:00:22,500',
      stop: '00:00:25,300',
      texts: {
        fra: 'Rends-nous la lanterne,<br>petite humaine.',
        por: 'Devolva a lanterna,<br>pequena humana.',
      },
    },
    {
      start: '00:00:31,000',
      stop: '00:00:33,800',
      texts: { fra: 'Alors tu danseras avec nous.', por: 'Então você dançará conosco.' },
    },
  ],
  graphics: [
    {
      start: '00:00:27,000',
      stop: '00:00:29,500',
      texts: { fra: 'UN FILM DE YUKI MORI', por: 'UM FILME DE YUKI MORI' },
    },
    {
      start: '00:00:36,000',
      stop: '00:00:39,000',
      texts: { fra: 'AU PRINTEMPS', por: 'NA PRIMAVERA' },
    },
  ],
};

/**
 * "Le Café des Âmes", trailer, in the middle of being translated. It has mistakes on purpose, for a
 * check to find: an overlap, an empty line, a line that is too long and one too short to read.
 */
export const cafeScript: Script = {
  dialogue: [
    {
      start: '00:00:02,000',
      stop: '00:00:04,600',
      texts: { spa: '¿Lo de siempre?' },
    },
    {
      start: '00:00:04,200',
      stop: '00:00:06,900',
      texts: { spa: '<i>Lo de siempre ya no existe.</i>' },
    },
    {
      start: '00:00:09,000',
      stop: '00:00:11,000',
      texts: { spa: '' },
    },
    {
      start: '00:00:13,000',
      stop: '00:00:13,400',
      texts: { spa: 'Aquí vienen los que todavía no se han despedido.' },
    },
    {
      start: '00:00:16,000',
      stop: '00:00:20,500',
      texts: {
        spa: 'Y cada noche, cuando cierro la puerta, alguien se queda dentro mirando la lluvia.',
      },
    },
  ],
  graphics: [
    {
      start: '00:00:23,000',
      stop: '00:00:25,500',
      texts: { spa: 'ABIERTO HASTA EL AMANECER' },
    },
  ],
};

/** An asset that nobody has transcribed yet. */
export const noScript: Script = { dialogue: [], graphics: [] };
