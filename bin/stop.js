/**
 * Ends the process after a signal. A DNS lookup cannot be cancelled, and Node waits for it before it
 * exits: for seconds, if no name server responds. Killing the process with the signal does not wait.
 * @param {number} code 128 plus the signal's number
 */
module.exports = function stop(code) {
  const isLookingUp = process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
  if (isLookingUp && process.platform !== 'win32') process.kill(process.pid, code - 128);
  process.exit(code);
};
