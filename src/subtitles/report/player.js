// Runs in the browser, as part of a report: plays the video of each section with its subtitles.

const players = [...document.querySelectorAll('section')].map(createPlayer);
/** The one that was used last; the keys are for it. */
let active = players[0];

document.addEventListener('keydown', ({ key, ctrlKey, altKey, metaKey }) => {
  if (ctrlKey || altKey || metaKey) return;
  if (key === 'n') active?.goToNext();
  if (key === 'p') active?.goToPrevious();
});

/** @param {Element} section */
function createPlayer(section) {
  const video = /** @type {HTMLVideoElement} */ (section.querySelector('video'));
  const status = /** @type {Element} */ (section.querySelector('[role=status]'));
  const timeline = section.querySelector('figure');
  /** @type {HTMLElement[]} */
  const rows = [...section.querySelectorAll('tr')].filter(({ dataset }) => dataset.start);
  rows.sort((a, b) => startOf(a) - startOf(b));
  const player = { video, goToNext, goToPrevious };
  let shown = -1;

  video.src ||= document.querySelector('video')?.src ?? '';
  addSubtitles();
  if (timeline) addPlayhead(timeline);
  video.addEventListener('error', showFailure);
  if (video.error) showFailure();
  video.addEventListener('play', () => {
    for (const other of players) if (other !== player) other.video.pause();
  });
  for (const event of ['pointerdown', 'focusin', 'play']) {
    section.addEventListener(event, () => (active = player), true);
  }
  section.querySelector('.next')?.addEventListener('click', goToNext);
  section.querySelector('.previous')?.addEventListener('click', goToPrevious);
  for (const [index, row] of rows.entries()) {
    const time = row.querySelector('.time');
    const button = document.createElement('button');
    button.append(...(time?.childNodes ?? []));
    time?.append(button);
    button.addEventListener('click', () => {
      show(index);
      video.scrollIntoView({ block: 'nearest' });
    });
  }
  return player;

  /** The text is WebVTT, which has neither scripts nor addresses. */
  function addSubtitles() {
    /**
     * @typedef {{ start: number, stop: number, text: string, vertical?: string, horizontal?: 'left' | 'right' }} PlayedCue
     * @type {{ label: string, language?: string, cues: PlayedCue[] }}
     */
    const { label, language, cues } = JSON.parse(
      section.querySelector('script')?.textContent ?? '{}',
    );
    const track = video.addTextTrack('subtitles', label, language);
    track.mode = 'showing';
    for (const { start, stop, text, vertical, horizontal } of cues) {
      const cue = new VTTCue(start / 1000, stop / 1000, text);
      if (vertical === 'middle') cue.snapToLines = false;
      if (vertical) cue.line = vertical === 'top' ? 0 : 50;
      if (horizontal) cue.align = horizontal;
      track.addCue(cue);
    }
  }

  /** @param {HTMLElement} figure */
  function addPlayhead(figure) {
    const [from, to] = [Number(figure.dataset.start), Number(figure.dataset.stop)];
    const playhead = document.createElement('div');
    playhead.className = 'playhead';
    figure.prepend(playhead);
    const draw = () => {
      const part = (video.currentTime * 1000 - from) / (to - from);
      playhead.style.left = `${100 * Math.min(1, Math.max(0, part))}%`;
    };
    for (const event of ['seeking', 'timeupdate']) video.addEventListener(event, draw);
    const picture = figure.querySelector('svg');
    picture?.addEventListener('click', ({ clientX }) => {
      const { left, width } = picture.getBoundingClientRect();
      video.currentTime = (from + ((clientX - left) / width) * (to - from)) / 1000;
    });
  }

  /** @param {HTMLElement} row */
  function startOf({ dataset }) {
    return Number(dataset.start);
  }

  function now() {
    return Math.round(video.currentTime * 1000);
  }

  // Several rows may start at the same time.
  function goToNext() {
    const time = now();
    const isLater = (/** @type {number} */ start, /** @type {number} */ index) =>
      start > time || (start === time && index > shown);
    show(rows.findIndex((row, index) => isLater(startOf(row), index)));
  }

  function goToPrevious() {
    // While it plays, time passes between two presses of the key.
    const time = video.paused ? now() : now() - 1000;
    const isEarlier = (/** @type {number} */ start, /** @type {number} */ index) =>
      start < time || (start === time && index < shown);
    show(rows.findLastIndex((row, index) => isEarlier(startOf(row), index)));
  }

  /** @param {number} index */
  function show(index) {
    const row = rows[index];
    if (!row) {
      status.textContent = 'No more problems';
      return;
    }
    rows[shown]?.removeAttribute('aria-current');
    row.setAttribute('aria-current', 'true');
    shown = index;
    video.currentTime = startOf(row) / 1000;
    const problems = [...row.querySelectorAll('li')].map(({ textContent }) => textContent);
    status.textContent = `${index + 1} of ${rows.length}: ${problems.join('; ')}`;
  }

  function showFailure() {
    status.textContent =
      'The video cannot be played. It must be where it was when this page was made, in a format that this browser plays, such as MP4 with H.264.';
  }
}
