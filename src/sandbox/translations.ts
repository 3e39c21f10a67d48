import { isObject, type JsonObject } from '../json/value.ts';
import type { Call } from './call.ts';
import { badRequest } from './refusal.ts';
import type { Store } from './store.ts';

/**
 * Fills in a submitted translation, and carries its status over to the work request it is for: the
 * work request's own copy of it is what clients look at.
 */
export function completeTranslation(record: JsonObject, _call: Call, store: Store): void {
  if (!record.has('status')) record.set('status', 'submitted');
  const id = record.get('workRequest');
  if (typeof id !== 'string') return;
  const workRequest = store.readRecord('WorkRequest', id);
  if (workRequest === undefined) {
    throw badRequest(`workRequest: there is no WorkRequest ${id}`, 'workRequest');
  }
  const embedded = workRequest.get('translation');
  if (!isObject(embedded) || embedded.get('language') !== record.get('language')) return;
  const updated = new Map(embedded).set('status', record.get('status') ?? 'submitted');
  store.replace('WorkRequest', id, new Map(workRequest).set('translation', updated));
}
