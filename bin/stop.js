/**
 * Ends the process after a signal. Nothing can end the look-up of a name, and Node does not exit
 * before it has ended: for seconds, where no name server answers. The signal itself does not wait.
 * @param {number} code 128 and the signal's number
 */
module.exports = function stop(code) {
  const isLookingUp = process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
  if (isLookingUp && process.platform !== 'win32') process.kill(process.pid, code - 128);
  process.exit(code);
};
