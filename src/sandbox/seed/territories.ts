type Language = readonly [name: string, code: string, dcpCode: string];
type Country = readonly [name: string, code: string];

const territory = (
  code: string,
  name: string,
  standard: string,
  countries: readonly Country[],
  languages: readonly Language[],
) => ({
  _id: `ter-${code.toLowerCase()}`,
  name,
  code,
  standard,
  countries: countries.map(([country, countryCode]) => ({ name: country, code: countryCode })),
  languages: languages.map(([language, languageCode, dcpCode]) => ({
    name: language,
    code: languageCode,
    dcpCode,
  })),
  assignedLanguages: languages.map(([, languageCode]) => languageCode),
});

/** Where the demo users sit, by code. */
export const territories = {
  USA: territory(
    'USA',
    'United States',
    'NTSC',
    [['United States', 'US']],
    [['English', 'eng', 'EN']],
  ),
  FRA: territory(
    'FRA',
    'France',
    'PAL',
    [
      ['France', 'FR'],
      ['Monaco', 'MC'],
    ],
    [['French', 'fra', 'FR']],
  ),
  DEU: territory(
    'DEU',
    'Germany',
    'PAL',
    [
      ['Germany', 'DE'],
      ['Austria', 'AT'],
    ],
    [['German', 'deu', 'DE']],
  ),
  JPN: territory('JPN', 'Japan', 'NTSC', [['Japan', 'JP']], [['Japanese', 'jpn', 'JA']]),
  ARE: territory(
    'ARE',
    'United Arab Emirates',
    'PAL',
    [['United Arab Emirates', 'AE']],
    [['Arabic', 'ara', 'AR']],
  ),
  ISR: territory('ISR', 'Israel', 'PAL', [['Israel', 'IL']], [['Hebrew', 'heb', 'HE']]),
  ESP: territory(
    'ESP',
    'Spain',
    'PAL',
    [['Spain', 'ES']],
    [
      ['Spanish (Castilian)', 'spa', 'ES'],
      ['Catalan', 'cat', 'CA'],
    ],
  ),
};
