import { iso31661 } from 'iso-3166';

/** The countries of ISO 3166-1, by their two-letter and by their three-letter codes. */
export const countries: () => ReadonlyMap<string, Country> = () => {
  read ??= readCountries();
  return read;
};

export interface Country {
  /** The one that it is found by. */
  code: string;
  name: string;
  twoLetters: string;
}

let read: ReadonlyMap<string, Country> | undefined;

const readCountries = () =>
  new Map(
    iso31661.flatMap(({ alpha2, alpha3, name }) =>
      [alpha2, alpha3].map((code) => [code, { code, name, twoLetters: alpha2 }]),
    ),
  );

/** It is not documented which of the two kinds the service has: both will do. */
export const isCountry = (code: string) => countries().has(code);
