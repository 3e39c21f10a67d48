import { link } from '../links.ts';

export const studios = [
  { _id: 's-northlight', name: 'Northlight Pictures', slug: 'northlight-pictures' },
  { _id: 's-kitsune', name: 'Kitsune Animation', slug: 'kitsune-animation' },
].map((studio) => ({ ...studio, $links: { self: link('Studio', studio._id) } }));

const titles = [
  { _id: 'p-harbor', name: 'The Harbor Light', slug: 'the-harbor-light', studio: 's-northlight' },
  // Its accents are combining characters, as file systems of some studios hand them over.
  {
    _id: 'p-cafe',
    name: 'Le Cafe\u0301 des A\u0302mes',
    slug: 'le-cafe-des-ames',
    studio: 's-northlight',
  },
  { _id: 'p-fox', name: '狐の嫁入り', slug: 'the-foxs-wedding', studio: 's-kitsune' },
  {
    _id: 'p-rocket',
    name: 'Rocket Pals 🚀: Zero-G 👩‍🚀',
    slug: 'rocket-pals-zero-g',
    studio: 's-kitsune',
  },
] as const;

export type ProjectId = (typeof titles)[number]['_id'];

/** As work requests embed them. */
export const projects = titles.map((title) => ({
  ...title,
  logo: logoId(title._id),
  $links: { self: link('Project', title._id) },
}));

export function projectOf(id: ProjectId): (typeof projects)[number] {
  const project = projects.find(({ _id }) => _id === id);
  if (project === undefined) throw new Error(`the demo data has no project ${id}`);
  return project;
}

function logoId(project: ProjectId): string {
  return `f-${project.slice(2)}-logo`;
}
