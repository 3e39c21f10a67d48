import { test } from 'vitest';
import { expectFillingStartsOver, expectResponsesSurvive } from '../sandbox/killing.ts';

test('records and tokens in a response survive kill -9, again and again', () =>
  expectResponsesSurvive(8));

test('a kill at any moment of filling the database does no harm', () =>
  expectFillingStartsOver([1, 100_000, 1_000_000, 5_000_000]));
