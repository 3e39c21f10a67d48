/* Writes: a plan of what would be sent, looked at by a person, then carried out. */

export { apply, callOf, checkTaken, lastRead, readVersion, reportRemarks } from './apply.ts';
export {
  type BodyRequest,
  bodyOptions,
  dryRunOption,
  edit,
  editRules,
  readBody,
  readEdits,
  readWholeBody,
  translateNames,
  yesOption,
} from './body.ts';
export { nothingSent, skipChecksOption, skipHint, skips } from './checks.ts';
export { create, createOptions, templateResult } from './createRecord.ts';
export { differenceLines, fieldLines } from './diff.ts';
export { editInEditor } from './editor.ts';
export { removeRepeatedTags, withFieldFlags } from './fieldFlags.ts';
export { eventLook, type OrderLook, orderLooker, otherService } from './orderLook.ts';
export { withHidden } from './overlay.ts';
export { findPeople, type People } from './people.ts';
export {
  type ComparedOrder,
  checkEarlier,
  compareOrders,
  describeEarlier,
  type Earlier,
  earlierFacts,
  newOrder,
  openLog,
  orderOptions,
  orderSource,
  sendsAgain,
} from './placedBefore.ts';
export {
  mergeWith,
  NothingToWrite,
  type Plan,
  planChange,
  type Target,
} from './plan.ts';
export {
  idChangedError,
  overwriteOption,
  putRecord,
  readTarget,
  replaceOption,
  targetOf,
  writePlan,
} from './putRecord.ts';
export { hasSecret, recordIntent, type SentWrite, settleSafely } from './recordIntent.ts';
export {
  namesReviewer,
  refuse,
  refuseDoubtfulValues,
  refuseMistakes,
  refuseUnknownRemovals,
  strictHint,
  valuesReviewer,
} from './refuseMistakes.ts';
export {
  confirm,
  isKept,
  leftOutRemarks,
  noDiffNote,
  review,
} from './review.ts';
export { openSeenAssets, rememberPrinted, rememberSeen } from './seenAssets.ts';
export { findAsset, valueTranslator } from './translate.ts';
export { requestRecord, requestResults } from './unsentRequest.ts';
export { carryOut, put, putOptions, unchanged } from './write.ts';
