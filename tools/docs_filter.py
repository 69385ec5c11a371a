#!/usr/bin/env python3
"""Doxygen's input filter, used by tools/docs: prints a file in the form that Doxygen understands.

usage: tools/docs_filter.py FILE | --check DIRECTORY

Headers keep their lines, so that warnings name the right ones:
  - "/// in        count elements" and the lines below it, indented as far, become an entry;
  - the comment of a declaration of several members is given to each of them;
  - "/// @ingroup FAMILY" below the comment at the top of a header makes a group of all that the
    header declares. The comment "// Scan: the folds of all prefixes." is its title and description.
Pages (Markdown) get labels for their headings, as GitHub names them, and links between them become
references; links to files that are not part of the documentation become the paths of these.

--check says what Doxygen does not warn of; its XML is in the directory.
"""
import os
import re
import sys
import xml.etree.ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIELD = re.compile(r'^(\s*///) ([A-Za-z_][\w.]*(?:, [A-Za-z_][\w.]*)*) {2,}(\S.*)$')

NAME = r'\*?\w+(?: = [^,;()]*)?'
MANY = re.compile(rf'^( +)((?:const )?[\w:]+(?:<[^;]*>)?) ({NAME}(?:, {NAME})+);(?:  ///< (.*))?$')


def declarations(lines):
    """Gives each member of a declaration of several the comment, which Doxygen gives to one."""
    for i, line in enumerate(lines):
        match = MANY.match(line)
        if not match:
            continue
        above = i
        while above and re.match(r'^ +/// ', lines[above - 1]):
            above -= 1
        text = match[4] or ' '.join(each.strip()[4:] for each in lines[above:i])
        if text:
            lines[i] = match[1] + ' '.join(
                (f'/** {text} */ ' if match[4] or n else '') + f'{match[2]} {name};'
                for n, name in enumerate(match[3].split(', ')))
    return lines


def comments(lines):
    """Marks entries of comments and examples, which are indented below an empty line."""
    lines = list(lines)
    i, above = 0, ''
    while i < len(lines):
        line = lines[i]
        match = FIELD.match(line)
        if match:
            # The entry becomes one line, in which nothing looks like the beginning of a list.
            column, text, rest = match.start(3) - match.end(1), [match[3]], i + 1
            while rest < len(lines):
                more = re.match(r'^\s*///( *)(\S.*)$', lines[rest])
                if not more or len(more[1]) != column:
                    break
                text.append(more[2])
                rest += 1
            title = match[2].replace(',', '\\,')
            lines[i] = f'{match[1]} @entry{{{title}}} {" ".join(text)}'
            lines[i + 1:rest] = [match[1]] * (rest - i - 1)
            i, above = rest, ''
            continue
        if re.match(r'^\s*/// {3,}[^ -]', line) and above in ('', 'example'):
            lines[i] = line.replace('///', '///  ', 1)
            above = 'example'
        else:
            above = '' if line.strip() == '///' else 'text'
        i += 1
    return lines


def group_of(path):
    return 'headers_' + path[len('include/vkprims/'):-len('.hpp')].replace('/', '_')


def header(path, text):
    lines = text.split('\n')
    top = []
    while len(top) < len(lines) and re.match(r'//(?!/)', lines[len(top)]):
        top.append(lines[len(top)][2:])
    family = re.match(r'/// @ingroup (\w+)$', lines[len(top)]) if len(top) < len(lines) else None
    lines = comments(declarations(lines))
    if not top or not family:
        return '\n'.join(lines)
    lines[len(top)] = ''
    name = path[len('include/vkprims/'):-len('.hpp')]
    title, colon, brief = ' '.join(top).strip().partition(': ')
    if not colon or '. ' in title:
        title, top = f'vkprims/{name}.hpp', [''] + top
    else:
        rest = '\n'.join(top).partition(':')[2]
        first = len(rest) - len(rest.lstrip())
        if re.match(r'[a-z]+[ ,]', rest[first:]):  # prose, and not out[i] = in[i]
            rest = rest[:first] + rest[first].upper() + rest[first + 1:]
        top = rest.split('\n')
    comment = comments(f'///{line}' for line in top)
    group = group_of(path)
    for i, line in enumerate(lines):
        if re.match(r'namespace vkprims\S* \{', line):
            lines[i] = f'{line} /** @addtogroup {group} */ /** @{{ */'
        elif re.match(r'\}  // namespace vkprims', line):
            lines[i] = f'/** @}} */ {line}'
    lines += ['', f'/// @defgroup {group} {title}', f'/// @ingroup {family[1]}', *comment]
    lines += ['', '/// @file', *comment]
    return '\n'.join(lines) + '\n'


def page_of(path):
    return re.sub(r'\W', '_', path)


def slug(heading):
    heading = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading).replace('`', '').strip().lower()
    return re.sub(r'[^\w\- ]', '', heading).replace(' ', '-')


def page(path, text):
    inside = os.path.dirname(path)

    def link(match):
        mark, label, target = match[1], match[2], match[3]
        if re.match(r'\w+:', target):
            return match[0]
        target, _, fragment = target.partition('#')
        file = os.path.normpath(os.path.join(inside, target)) if target else path
        if mark:
            return f'![{label}]({os.path.basename(file)})'
        if file == 'README.md':
            return f'[{label}](@ref index)'
        if file.endswith('.md') and os.path.dirname(file) in ('', 'docs', 'include/vkprims'):
            return f'[{label}](@ref {page_of(file)}{"_" + fragment if fragment else ""})'
        if file.startswith('include/vkprims/') and file.endswith('.hpp'):
            return f'[{label}](@ref {group_of(file)})'
        if label.replace('`', '') in (file, target, os.path.basename(file)):
            return f'`{file}`'
        return f'{label} (`{file}`)'

    parts = re.split(r'(^```.*?^```[^\n]*$)', text, flags=re.S | re.M)
    first = True
    for i in range(0, len(parts), 2):
        def heading(match):
            nonlocal first
            label = page_of(path) + ('' if first else '_' + slug(match[2]))
            first = False
            return f'{match[1]} {match[2]} {{#{label}}}'
        linked = re.sub(r'(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)', link, parts[i])
        parts[i] = re.sub(r'^(#+) (.*?) *$', heading, linked, flags=re.M)
    return ''.join(parts)


FLAGS = r'[A-Z_]+( \| [A-Z_]+)*'
BEFORE = re.compile(rf'[\w., ]+: (last writer|all earlier users) -> {FLAGS} / {FLAGS}$')
AFTER = re.compile(rf'[\w., ]+: (COMPUTE_SHADER / {FLAGS} -> (your reader|the next call that draws|'
                   r'DRAW_INDIRECT / INDIRECT_COMMAND_READ)|free after COMPUTE_SHADER)$')


def unlike_the_others(path):
    """Yields what a header lacks: its family, a directory of src, and the form of barriers."""
    name = os.path.basename(path)[:-len('.hpp')]
    text = open(os.path.join(ROOT, path), encoding='utf-8').read()
    family = re.match(r'(?://(?!/).*\n)*/// @ingroup (\w+)\n#pragma once\n', text)
    if not family:
        yield 1, 'The comment at the top is not followed by "/// @ingroup FAMILY".'
        return
    room = 'strings' if '/strings/' in path else next(
        (room for room in os.listdir(os.path.join(ROOT, 'src'))
         if os.path.exists(os.path.join(ROOT, 'src', room, name + '.cpp'))
         and room not in ('blocks', 'context', 'strings')), None)
    if room and family[1] != room:
        line = text[:family.start(1)].count('\n') + 1
        yield line, f'The family is {family[1]}, but the primitive is in src/{room}.'
    lines = text.split('\n')
    for at, line in enumerate(comments([re.sub('^//(?!/)', '///', line) for line in lines])):
        entry = re.match(r'\s*/// @entry\{(Before|After)\} (.*)$', line)
        for part in entry[2].split('. ') if entry else []:
            if not (BEFORE if entry[1] == 'Before' else AFTER).match(part):
                yield at + 1, f'"{part}" after {entry[1]} is not in the form of the other headers.'


def check(directory):
    """Says what Doxygen does not: enumerators without a comment, headers unlike the others."""
    found = set()
    for name in os.listdir(directory):
        if not name.endswith('.xml'):
            continue
        tree = xml.etree.ElementTree.parse(os.path.join(directory, name))
        for member in tree.iter('memberdef'):
            place = member.find('location')
            for value in member.findall('enumvalue'):
                texts = (value.find('briefdescription'), value.find('detaileddescription'))
                if not any(''.join(text.itertext()).strip() for text in texts if text is not None):
                    found.add((place.get('file'), int(place.get('line')),
                               f'Value {value.findtext("name")} of an enum is not documented.'))
    for inside, _, names in os.walk(os.path.join(ROOT, 'include/vkprims')):
        for name in names:
            path = os.path.relpath(os.path.join(inside, name), ROOT)
            if path.endswith('.hpp'):
                found.update((path, line, what) for line, what in unlike_the_others(path))
    for file, line, what in sorted(found):
        print(f'{file}:{line}: error: {what}', file=sys.stderr)
    return 1 if found else 0


def main():
    if sys.argv[1:] in (['-h'], ['--help']):
        sys.exit(print(__doc__.strip()))
    if len(sys.argv) == 3 and sys.argv[1] == '--check':
        sys.exit(check(sys.argv[2]))
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        sys.exit('usage: tools/docs_filter.py FILE | --check DIRECTORY')
    path = os.path.relpath(os.path.abspath(sys.argv[1]), ROOT)
    text = open(path, encoding='utf-8').read()
    sys.stdout.reconfigure(encoding='utf-8')
    form = {'.md': page, '.hpp': header}.get(os.path.splitext(path)[1], lambda _, text: text)
    sys.stdout.write(form(path, text))


main()
