// Reads {mail: html} from standard input, and writes which features of HTML and CSS the named mail programs do not
// support, or only in part, as {programs, found: [{mail, program, feature, support, notes}]}
// to standard output.
import { text } from 'node:stream/consumers'
import { caniemail, rawData } from 'caniemail'

// The library knows fewer programs than its data, and throws where one has never been tried: so each in turn takes the
// place of one that it knows.
const PLACE = ['hey', 'desktop-webmail']

// What nobody has tried is not held against the mail: the newest answer may say so as well.
const known = (answers) => (answers && !Object.entries(answers).sort().at(-1)[1].startsWith('u') ? answers : { never: 'y' })

const families = process.argv.slice(2)
const mails = Object.entries(JSON.parse(await text(process.stdin)))
const tried = rawData.data.map(({ stats }) => structuredClone(stats))
const programs = new Set()
for (const stats of tried)
  for (const family of families)
    for (const platform of Object.keys(stats[family] ?? {})) programs.add(`${family}.${platform}`)

const found = []
for (const program of programs) {
  const [family, platform] = program.split('.')
  rawData.data.forEach((feature, index) => {
    feature.stats[PLACE[0]] = { [PLACE[1]]: known(tried[index][family]?.[platform]) }
  })
  for (const [mail, html] of mails) {
    const { issues } = caniemail({ clients: [PLACE.join('.')], html })
    for (const [list, support] of [[issues.errors, 'none'], [issues.warnings, 'part']])
      for (const { title, notes } of list.get(PLACE.join('.')) ?? [])
        found.push({ mail, program, feature: title, support, notes })
  }
}
process.stdout.write(JSON.stringify({ programs: [...programs].sort(), found }))
