/*
 * The demo data is in JSON files. Each has a list of `records`, and maybe `defaults`: fields that a
 * record has unless it says otherwise. A string such as "@-9d+1h" is a time: nine days before the data
 * is made, plus one hour; d, h and m are days, hours and minutes. Records name each other by id, and
 * seed.ts puts the named record in where the API embeds it.
 */

export { default as assets } from './assets.json' with { type: 'json' };
export { default as events } from './events.json' with { type: 'json' };
export { default as files } from './files.json' with { type: 'json' };
export { default as groups } from './groups.json' with { type: 'json' };
export { default as notifications } from './notifications.json' with { type: 'json' };
export { default as offlines } from './offlines.json' with { type: 'json' };
export { default as previews } from './previews.json' with { type: 'json' };
export { default as projects } from './projects.json' with { type: 'json' };
export { default as studios } from './studios.json' with { type: 'json' };
export { default as users } from './users.json' with { type: 'json' };
export { default as workflows } from './workflows.json' with { type: 'json' };
export { default as workRequests } from './workRequests.json' with { type: 'json' };
