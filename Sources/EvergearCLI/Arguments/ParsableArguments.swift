/// A value whose properties are filled from the command line.
protocol ParsableArguments {
    init()

    /// Looks at what no single value shows. Throws `ValidationError`.
    func validate() throws(ValidationError)
}

extension ParsableArguments {
    func validate() throws(ValidationError) {}

    /// The slots by section: the command's own under "", then each titled group.
    var sections: [(title: String, slots: [Slot])] {
        var own: [Slot] = []
        var titled: [(title: String, slots: [Slot])] = []
        for child in Mirror(reflecting: self).children {
            if let group = child.value as? any Grouping {
                for section in group.arguments.sections {
                    let title = section.title.isEmpty ? group.title : section.title
                    if title.isEmpty {
                        own += section.slots
                    } else {
                        titled.append((title, section.slots))
                    }
                }
            } else if let slot = (child.value as? any Slotted)?.slot {
                slot.property = String((child.label ?? "").drop { $0 == "_" })
                own.append(slot)
            }
        }
        return [("", own)] + titled
    }

    var slots: [Slot] { sections.flatMap(\.slots) }

    /// `validate` of this value and of all groups in it.
    func validateAll() throws(ValidationError) {
        for child in Mirror(reflecting: self).children {
            if let group = child.value as? any Grouping { try group.arguments.validateAll() }
        }
        try validate()
    }
}

/// A command: a leaf that does something, or a group of subcommands.
protocol ParsableCommand: ParsableArguments, SendableMetatype {
    static var configuration: CommandConfiguration { get }
}

/// What a command is called and what help says of it.
struct CommandConfiguration: Sendable {
    var commandName: String
    /// One sentence without a full stop, as it stands in a list of commands.
    var abstract: String
    /// Paragraphs, parted by blank lines. One that is indented is printed as it stands.
    var discussion: String
    var subcommands: [any ParsableCommand.Type]

    init(
        commandName: String, abstract: String, discussion: String = "", subcommands: [any ParsableCommand.Type] = []
    ) {
        self.commandName = commandName
        self.abstract = abstract
        self.discussion = discussion
        self.subcommands = subcommands
    }
}
